import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message, withoutToolCalls } from '../model/messages.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import type { UsageAccumulator } from './usage-accumulator.js';

/** How a turn ended. */
export interface TurnEnd {
  readonly response: ChatClientResponse;
  /**
   * `answer`: the model answered, or asked for tools that are not run. `rounds`: it answered without tools, because
   * there were too many rounds. `loop`: tool results are returned directly, or a limit is told of. `suspended`: calls wait for
   * approval. `stopped`: somebody has ended the turn early.
   */
  readonly reason: 'answer' | 'rounds' | 'loop' | 'suspended' | 'stopped';
  readonly usage: UsageAccumulator;
  /** The messages of the turn, up to the answer. */
  readonly messages: readonly Message[];
  /** The index of the last round. */
  readonly round: number;
}

/** @param answer what the response is replaced with */
export function turnEnd(
  reason: TurnEnd['reason'],
  response: ChatClientResponse,
  usage: UsageAccumulator,
  messages: readonly Message[],
  round: number,
  answer?: ChatResponse,
): TurnEnd {
  const chatResponse = answer && usage.stamp(answer);
  const isSame = !chatResponse || chatResponse === response.chatResponse;
  return { response: isSame ? response : { ...response, chatResponse }, usage, reason, messages, round };
}

/** The answer given without tools. A model that still asks for some is not heard. */
export function endOfRounds(response: ChatResponse): ChatResponse {
  return response.with({
    results: response.results.map(({ output, metadata }) => ({
      output: withoutToolCalls(output),
      metadata: { ...metadata, finishReason: 'maxRoundsExceeded' },
    })),
  });
}

/** Says why a streamed answer ends, where the model has not said so itself. */
export function endWithoutReason(): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage(), metadata: { finishReason: 'maxRoundsExceeded' } }],
  });
}
