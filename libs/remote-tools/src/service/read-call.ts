import { isJsonObject } from '@nestor-ai/schema';
import { MAX_TIME, type SentCall } from '../wire/messages.js';

/** @returns undefined if the content is no call */
export function readCall(content: Readonly<Record<string, unknown>>): SentCall | undefined {
  const {
    tool,
    callId,
    turnId,
    timeLeft,
    caller,
    answer,
    hasReadUntrusted,
    isApproved,
    arguments: given,
  } = content as Partial<SentCall>;
  if (![tool, callId, turnId].every((text) => typeof text === 'string') || !isJsonObject(given)) return undefined;
  if (typeof timeLeft !== 'number' || !(timeLeft > 0 && timeLeft <= MAX_TIME) || !isJsonObject(caller))
    return undefined;
  if (typeof hasReadUntrusted !== 'boolean' || typeof isApproved !== 'boolean') return undefined;
  const { subject, identity } = caller;
  if (subject !== undefined && (typeof subject !== 'string' || subject === '')) return undefined;
  if (identity !== undefined && !isJsonObject(identity)) return undefined;
  if (
    answer !== undefined &&
    !(isJsonObject(answer) && typeof answer.questionId === 'string' && isJsonObject(answer.input))
  )
    return undefined;
  return content as unknown as SentCall;
}
