import { ChatResponse, ENDED_EARLY } from '../model/chat-response.js';
import { FinishReason } from '../model/finish-reason.js';
import { AssistantMessage, type Message, withoutToolCalls } from '../model/messages.js';
import type { TurnStop } from '../model/turn-stop.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import type { UsageAccumulator } from './usage-accumulator.js';

/** How a turn ended. */
export interface TurnEnd {
  readonly response: ChatClientResponse;
  /**
   * `answer`: the model answered, or asked for tools that do not run. `rounds`: the model answered
   * without tools because the limit of rounds was reached. `loop`: tool results are the answer.
   * `limit`: the answer reports an exceeded limit of calls. `suspended`: calls wait for approval.
   * `stopped`: the turn was stopped early.
   */
  readonly reason: 'answer' | 'rounds' | 'loop' | 'limit' | 'suspended' | 'stopped';
  readonly usage: UsageAccumulator;
  /** The messages of the turn, up to the answer. */
  readonly messages: readonly Message[];
  /** The index of the first message that this request added. */
  readonly newFrom: number;
  /** The index of the last round. */
  readonly round: number;
}

/**
 * The answer of the last round, which offered no tools. If the model still asks for tools or says
 * nothing, a text takes the place of its answer.
 */
export function endOfRounds(response: ChatResponse, maxRounds: number): ChatResponse {
  return response.with({
    results: response.results.map(({ output, metadata }) => ({
      output: hasAnswer(output) ? withoutToolCalls(output) : withText(output, noAnswerText(maxRounds)),
      metadata: { ...metadata, finishReason: FinishReason.MAX_ROUNDS_EXCEEDED },
    })),
  });
}

/** The answer of a turn that was stopped early. */
export function toAnswer({ message, finishReason, metadata }: TurnStop): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage(message), metadata: { ...metadata, finishReason, [ENDED_EARLY]: true } }],
  });
}

/** The last chunk of a streamed answer. */
export function endOfStream(text: string): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage(text), metadata: { finishReason: FinishReason.MAX_ROUNDS_EXCEEDED } }],
  });
}

function withText({ toolCalls: _calls, ...rest }: AssistantMessage, text: string): AssistantMessage {
  return new AssistantMessage({ ...rest, text });
}

function hasAnswer({ text, media }: AssistantMessage): boolean {
  return Boolean(text.trim()) || media !== undefined;
}

function noAnswerText(maxRounds: number): string {
  const rounds = maxRounds === 1 ? 'round' : 'rounds';
  return `The answer ends here: the model has not answered after ${maxRounds} ${rounds} of tool calls, the limit of a turn.`;
}
