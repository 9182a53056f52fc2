import type { Observer } from 'rxjs';
import type { Awaitable } from './awaitable.js';
import type { ChatModel } from './chat-model.js';
import type { ChatResponse } from './chat-response.js';
import type { Message, ToolCall } from './messages.js';
import type { Prompt } from './prompt.js';
import type { ToolCallAnswer, ToolCallEnd } from './tool-call-outcome.js';
import type { ToolDefinition } from './tool-definition.js';
import type { ToolUi } from './tool-ui.js';
import type { Turn } from './turn.js';
import type { TurnOutcome } from './turn-ending.js';
import type { TurnEvent } from './turn-event.js';

/** A model that is about to be asked. */
export interface AskedModel {
  readonly chatModel: ChatModel;
  /** The prompt as the model receives it. */
  readonly prompt: Prompt;
  /** The messages of the turn so far, before the advisors inside the loop have changed them. */
  readonly history: readonly Message[];
  readonly isStreamed: boolean;
}

/** The decision about a tool call. */
export interface ToolCallDecision {
  readonly approved: boolean;
  /** The subject that decided. Undefined if `TurnPrincipal` returned none. */
  readonly approver: string | undefined;
  /** The model's arguments, if others were approved. */
  readonly modelArguments: string | undefined;
}

/** One run of a tool call. Its values change while the call goes on. */
export interface ToolCallRun {
  /** Identifies the run. A call that runs again, such as after a crash, has another id. */
  readonly id: string;
  readonly turn: Turn;
  /** The name of the client. Undefined for a call that no client makes. */
  readonly clientName: string | undefined;
  /** The call as the model wrote it. */
  readonly toolCall: ToolCall;
  /** What a browser may see of the call, if its tool declares it. Only known if an observer {@link TurnObserver.readsUi}. */
  readonly ui: ToolUi | undefined;
  /** Whether the call has begun before, and waited for a decision or for its user. */
  readonly isResumed: boolean;
  /** The tool. Undefined if the request has none of this name, which then is text of the model, or until it is looked up. */
  readonly toolDefinition: ToolDefinition | undefined;
  /** The arguments as JSON text, after repair or approval. */
  readonly arguments: string;
  /**
   * The decision. Undefined if the call needed none.
   *
   * @throws what `TurnPrincipal` throws
   */
  readonly decision: ToolCallDecision | undefined;
  /**
   * The number of times the code has run so far: several after retries, 0 if it did not run, such
   * as for a cached result.
   */
  readonly tries: number;
  /** The duration of the run so far, including guards and waiting, in milliseconds. */
  readonly duration: number;
}

/**
 * Follows one turn. An `AiExtension` gives one for each turn that it wants to follow. Observers are
 * called as things happen: they must be fast, and must not change what they receive. They see
 * everything as it is: redact it before you show it. Errors are logged and do not disturb the turn,
 * but for those of `toolBegins`.
 */
export interface TurnObserver {
  /**
   * Whether it reads the `ui` of runs, for which tools may have to be looked up. Default: false.
   *
   * @internal
   */
  readonly readsUi?: boolean;
  /**
   * A model is asked. Also called for each fallback model, and for each new try of an advisor.
   *
   * @returns receives the answer, or its chunks; undefined if the answer is of no interest
   */
  modelAsked?(asked: AskedModel): Observer<ChatResponse> | undefined;
  /** A tool call begins. A call that waited for a decision begins again. */
  toolCalled?(run: ToolCallRun): void;
  /**
   * Surrounds a run, from the lookup of its tool to its result, after {@link toolCalled}: `around: (run, enter) =>
   * storage.run(run, enter)` lets whatever the tool starts, such as turns of other clients, find the run in an `AsyncLocalStorage`.
   *
   * @param enter starts the run, and does not wait for it: call it before you return
   */
  around?(run: ToolCallRun, enter: () => void): void;
  /** A tool reports progress, or emits an item that is not its last. */
  toolProgress?(run: ToolCallRun, value: unknown): void;
  /**
   * The code of a tool is about to run, and waits for this. Called once for each run, and again if
   * it failed and the call is tried again.
   *
   * @throws Error if the code must not run; the model gets its message
   */
  toolBegins?(run: ToolCallRun): Awaitable<void>;
  /**
   * A run has ended, even if its code did not run, or if it waits. The model gets the result once this
   * resolves, unless the turn is aborted before. Not called for a call whose result was known before
   * the turn was suspended.
   */
  toolEnded?(run: ToolCallRun, end: ToolCallEnd): Awaitable<void>;
  /** A call has an answer for the model. If the turn is stored, the answer is. */
  toolAnswered?(run: ToolCallRun, answer: ToolCallAnswer): void;
  /** An advisor or a tool has called `turn.emit()`. */
  emitted?(event: TurnEvent): void;
  /**
   * The suspension of the turn is stored next, or the end of a turn that is stored from its start. It
   * waits for this, for ten seconds at most.
   */
  turnEnds?(): Awaitable<void>;
  /** The turn has ended, or is suspended. */
  turnEnded?(outcome: TurnOutcome): void;
}
