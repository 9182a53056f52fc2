import type { Awaitable } from './awaitable.js';
import type { ContentRedactor } from './content-redactor.js';
import type { ModelServices } from './model-services.js';
import type { RunningTurns } from './running-turns.js';
import type { TurnPrincipal } from './turn-principal.js';
import type { UiSettings } from './ui-settings.js';

/** The transactions of the database that stores turns. */
export interface TurnTransactions {
  /** Runs code once per key: the first result is stored and returned again later. */
  run<T>(turnId: string, key: string, work: (connection: unknown) => Promise<T>): Promise<T>;
}

/** The services that an application gives to the requests of its clients. */
export interface RequestServices<Turn> {
  /** The name of the client. `default` for the one that is injected as `ChatClient`. */
  readonly clientName?: string;
  /**
   * Runs the tools of loops without their own manager, so that limits, guards and policies apply.
   */
  readonly toolCallingManager?: unknown;
  /** Chooses the models of requests. Undefined outside an application: no retries by default. */
  readonly models?: ModelServices;
  /** The running turns that shut down together with those of the request. */
  readonly runningTurns?: RunningTurns;
  /**
   * The longest wait of a turn for its conversation, in milliseconds. Memory advisors may override
   * it.
   */
  readonly conversationLockTimeout?: number;
  /** The locks of conversations that processes share. */
  readonly conversationLocks?: unknown;
  /** Whether every turn is stored from its start. */
  readonly recordsTurns?: boolean;
  /** Hands turns to workers. Undefined if there are none. */
  readonly turnQueue?: { add(turnId: string, options: { readonly queue?: string }): Awaitable<void> } | undefined;
  /** Undefined if turns are not stored in a database with transactions. */
  readonly transactions?: TurnTransactions | undefined;
  /** Returns who makes a request. */
  readonly principal?: TurnPrincipal;
  /** Who may approve calls. Tool loops may override it. */
  readonly approvalRules?: unknown;
  /** Removes sensitive content before it is shown outside. */
  readonly redactor?: ContentRedactor | undefined;
  /** What browsers may see of tool calls and send about them. */
  readonly ui?: UiSettings;
  /**
   * Returns a listener that is called for each new turn, or undefined if nobody listens. Called
   * once per turn.
   */
  turnListener?(): ((turn: Turn) => void) | undefined;
}
