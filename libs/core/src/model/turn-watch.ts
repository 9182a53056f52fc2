import type { Observer } from 'rxjs';
import type { CallApproval } from './call-approval.js';
import type { ChatModel } from './chat-model.js';
import type { ChatResponse } from './chat-response.js';
import type { Message, ToolCall, ToolResponse } from './messages.js';
import type { Prompt } from './prompt.js';
import type { Turn } from './turn.js';
import type { TurnOutcome } from './turn-ending.js';

/** A model that is about to be asked. */
export interface AskedModel {
  readonly chatModel: ChatModel;
  /** The prompt as the model receives it. */
  readonly prompt: Prompt;
  /** The messages of the turn so far, before the advisors inside the loop have changed them. */
  readonly history: readonly Message[];
  readonly isStreamed: boolean;
}

/** The answer to a tool call. */
export interface ToolCallAnswer {
  /** The call as it ran: with the approved or repaired arguments. */
  readonly call: ToolCall;
  /** What the model reads. */
  readonly response: ToolResponse;
  /** A human refused the call. */
  readonly isDenied: boolean;
  readonly approval: CallApproval | undefined;
  /** What the tool has thrown. */
  readonly error: unknown;
}

/** Follows one tool call. */
export interface ToolCallWatch {
  /** The call has an answer. */
  answered(answer: ToolCallAnswer): void;
}

/**
 * Follows one turn. Its methods are called as things happen: they must be fast, and must not change
 * what they receive. It sees everything as it is: redact it before you show it.
 */
export interface TurnWatch {
  /**
   * A model is asked. Also called for each fallback model, and for each new try of an advisor.
   *
   * @returns receives the answer, or its chunks; undefined if the answer is of no interest
   */
  modelAsked(asked: AskedModel): Observer<ChatResponse> | undefined;
  /**
   * A tool call begins, with the arguments that the model wrote. A call that waited for a decision
   * begins again.
   *
   * @returns receives the answer, unless the call waits; undefined if it is of no interest
   */
  toolCalled(call: ToolCall): ToolCallWatch | undefined;
  /** The turn has ended, or is suspended. */
  ended(outcome: TurnOutcome): void;
}

/**
 * Decides whether to follow a turn. Called when a turn starts, and when a suspended turn continues
 * in a new request.
 *
 * @param client the name of the client that runs the turn
 */
export type TurnWatcher = (turn: Turn, client: string) => TurnWatch | undefined;
