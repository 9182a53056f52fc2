import type { TurnWatch } from '../model/turn-watch.js';
import { followTool, tellToolAnswer } from '../observability/follow-turn.js';
import type { AnsweredCall } from './answered-call.js';
import type { ToolCallBatch } from './tool-call-batch.js';

/**
 * Answers a call of a turn that is followed, and tells the watch. A call that was answered before
 * the turn was suspended is known to it.
 */
export async function followCall(
  follower: TurnWatch,
  { message, approved }: ToolCallBatch,
  index: number,
  answer: () => Promise<AnsweredCall>,
): Promise<AnsweredCall> {
  const call = message.toolCalls[index]!;
  const watch = approved?.responseTo(call.id) ? undefined : followTool(follower, call);
  const answered = await answer();
  const { response, approval, changed = call, outcome, error } = answered;
  // The provider has yet to run a call that was approved for it.
  if (watch && response && !response.providerApproval?.approved) {
    tellToolAnswer(watch, { call: changed, response, isDenied: outcome === 'denied', approval, error });
  }
  return answered;
}
