import { ChatResponse } from '../model/chat-response.js';
import { FinishReason } from '../model/finish-reason.js';
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
  /** Where in these messages begins what this request has added. */
  readonly newFrom: number;
  /** The index of the last round. */
  readonly round: number;
}

/**
 * The answer of the last round, in which the model was offered no tools. A model that still asks for some, or says nothing, gets a text in
 * its place.
 */
export function endOfRounds(response: ChatResponse, maxRounds: number): ChatResponse {
  return response.with({
    results: response.results.map(({ output, metadata }) => ({
      output: hasAnswer(output) ? withoutToolCalls(output) : withText(output, noAnswerText(maxRounds)),
      metadata: { ...metadata, finishReason: FinishReason.MAX_ROUNDS_EXCEEDED },
    })),
  });
}

/** The end of a streamed answer: what its chunks have not said. */
export function endOfStream(text: string): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage(text), metadata: { finishReason: FinishReason.MAX_ROUNDS_EXCEEDED } }],
  });
}

function withText({ reasoning, metadata }: AssistantMessage, text: string): AssistantMessage {
  return new AssistantMessage({ text, ...(reasoning !== undefined && { reasoning }), ...(metadata && { metadata }) });
}

function hasAnswer({ text, media }: AssistantMessage): boolean {
  return Boolean(text.trim()) || media !== undefined;
}

function noAnswerText(maxRounds: number): string {
  const rounds = maxRounds === 1 ? 'round' : 'rounds';
  return `The answer ends here: after ${maxRounds} ${rounds} of tool calls, the most that a turn may have, the model has not answered.`;
}
