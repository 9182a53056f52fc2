import type { TurnKeeper } from './held-turn.js';
import type { RunningTurns } from './running-turns.js';
import type { TurnEventSink } from './turn-event.js';

/** Where the {@link RequestScope} lies in the options of a prompt: a symbol, so that it survives spreads. */
export const REQUEST_SCOPE: unique symbol = Symbol.for('nestor.RequestScope');

/**
 * Everything that belongs to one request and is not sent to the model: one object, which `ChatClient` puts into the options, and which all
 * copies of the options share.
 */
export class RequestScope<Turn> {
  /** The turn that runs now. */
  turn: Turn | undefined = undefined;
  /** What observes the request, where a telemetry SDK is registered. */
  observation: unknown = undefined;
  /** Receives what happens to the tool calls. */
  events: TurnEventSink | undefined = undefined;
  /** Keeps the turn that the request goes on with, where somebody tells it the end of the request. */
  keeper: TurnKeeper | undefined = undefined;

  /**
   * @param callerRequest what the caller works on, such as an HTTP request
   * @param modelDefaults the default options of the client's model that neither client nor request has set
   * @param toolCallingManager runs the tools of a loop that was given no manager
   * @param runningTurns the turns that those of the request are to be ended with
   * @param onTurn called with each turn of the request that begins
   * @param conversationLockTimeout how long a turn waits for its conversation, in milliseconds, where its memory advisor does not say
   */
  constructor(
    readonly callerRequest?: unknown,
    readonly modelDefaults?: object,
    readonly toolCallingManager?: unknown,
    readonly runningTurns?: RunningTurns,
    readonly onTurn?: (turn: Turn) => void,
    readonly conversationLockTimeout?: number,
  ) {}

  /** A scope of its own for a turn that runs beside another one of the same request. */
  fork(): RequestScope<Turn> {
    const { callerRequest, modelDefaults, toolCallingManager, runningTurns, onTurn, conversationLockTimeout } = this;
    const fork = new RequestScope<Turn>(
      callerRequest,
      modelDefaults,
      toolCallingManager,
      runningTurns,
      onTurn,
      conversationLockTimeout,
    );
    fork.observation = this.observation;
    fork.events = this.events;
    fork.keeper = this.keeper;
    return fork;
  }
}
