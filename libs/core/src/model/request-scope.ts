import type { ChatOptions } from './chat-options.js';
import type { RunningTurns } from './running-turns.js';
import type { TurnControl } from './turn-control.js';
import type { TurnEventSink } from './turn-event.js';

/** Where the {@link RequestScope} lies in the options of a prompt: a symbol, so that it survives spreads. */
export const REQUEST_SCOPE: unique symbol = Symbol.for('nestor.RequestScope');

/**
 * Everything that belongs to one request and is not sent to the model: one object, which `ChatClient` puts into the options, and which all
 * copies of the options share.
 */
export class RequestScope {
  /** The turn that runs now. */
  turn: TurnControl | undefined = undefined;
  /** What observes the request, where a telemetry SDK is registered. */
  observation: unknown = undefined;
  /** Receives what happens to the tool calls. */
  events: TurnEventSink | undefined = undefined;

  /**
   * @param callerRequest what the caller works on, such as an HTTP request
   * @param modelDefaults the default options of the client's model that neither client nor request has set
   * @param toolCallingManager runs the tools of a loop that was given no manager
   * @param runningTurns the turns that those of the request are to be ended with
   * @param onTurn called with each turn of the request that begins
   */
  constructor(
    readonly callerRequest?: unknown,
    readonly modelDefaults?: ChatOptions,
    readonly toolCallingManager?: unknown,
    readonly runningTurns?: RunningTurns,
    readonly onTurn?: (turn: TurnControl) => void,
  ) {}

  /** A scope of its own for a turn that runs beside another one of the same request. */
  fork(): RequestScope {
    const { callerRequest, modelDefaults, toolCallingManager, runningTurns, onTurn } = this;
    const fork = new RequestScope(callerRequest, modelDefaults, toolCallingManager, runningTurns, onTurn);
    fork.observation = this.observation;
    fork.events = this.events;
    return fork;
  }
}

export function scopeOf(options: ChatOptions | undefined): RequestScope | undefined {
  return options?.[REQUEST_SCOPE];
}

/**
 * How a model hears that its turn is ended by something else than the caller's signal. Models read `options.signal`; the signal is made when
 * they do, since an `AbortSignal` costs more than the rest of a turn. All options share one getter: with one each, V8 would keep a
 * hidden class for each.
 */
const TURN_SIGNAL: PropertyDescriptor & ThisType<ChatOptions> = {
  get() {
    return this[REQUEST_SCOPE]?.turn?.signal;
  },
  enumerable: true,
  configurable: true,
};

/** The options with a scope. Without a signal of the caller's, their signal is that of the turn that runs. */
export function withScope(options: ChatOptions, scope: RequestScope): ChatOptions {
  if (!scope.runningTurns || callerSignalOf(options)) return { ...options, [REQUEST_SCOPE]: scope };
  // First of all properties: V8 takes several times as long for an object that has others already.
  const made = Object.defineProperty({}, 'signal', TURN_SIGNAL) as { [REQUEST_SCOPE]: RequestScope };
  Object.assign(made, 'signal' in options ? withoutSignal(options) : options);
  made[REQUEST_SCOPE] = scope;
  return made;
}

function withoutSignal({ signal: _signal, ...options }: ChatOptions): ChatOptions {
  return options;
}

/** The signal that the caller has given, not that of the turn. */
export function callerSignalOf(options: ChatOptions | undefined): AbortSignal | undefined {
  return options && (Object.getOwnPropertyDescriptor(options, 'signal')?.value as AbortSignal | undefined);
}
