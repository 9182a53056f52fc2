import type { ChatOptions } from './chat-options.js';
import { TURN_CONTEXT, type TurnContext } from './turn-context.js';

/**
 * What options inherit whose turn can be ended from outside, so that the model hears of it. The signal is made when a model asks for
 * it: an `AbortController` costs as much as a chain. A getter of their own would give each of these objects a hidden class of its own,
 * which takes a microsecond and keeps the turn alive until the next full garbage collection.
 */
const HEARING = Object.freeze(
  Object.defineProperty({}, 'signal', {
    get(this: ChatOptions) {
      return this[TURN_CONTEXT]?.signal;
    },
  }),
);

/** The options with the turn that they belong to. */
export function withTurn(options: ChatOptions = {}, turn: TurnContext): ChatOptions {
  if (options[TURN_CONTEXT] === turn) return hearing(options);
  return turn.running && !hasOwnSignal(options) ? inheriting(options, turn) : { ...options, [TURN_CONTEXT]: turn };
}

/** The same options, if need be with the signal of their turn: a copy made by spreading has lost what it inherited. */
export function hearing(options: ChatOptions): ChatOptions {
  const turn = options[TURN_CONTEXT];
  if (!turn?.running || Object.getPrototypeOf(options) === HEARING || hasOwnSignal(options)) return options;
  return inheriting(options, turn);
}

/** Asked in this order: to look at a signal that is inherited makes it. */
function hasOwnSignal(options: ChatOptions): boolean {
  return Object.getPrototypeOf(options) !== HEARING && Boolean(options.signal);
}

function inheriting(options: ChatOptions, turn: TurnContext): ChatOptions {
  const own = Object.hasOwn(options, 'signal') ? withoutSignal(options) : options;
  const made = Object.assign(Object.create(HEARING) as object, own) as { [TURN_CONTEXT]: TurnContext };
  made[TURN_CONTEXT] = turn;
  return made;
}

/** One that is there and undefined would stand in the way of the one that is inherited. */
function withoutSignal({ signal: _none, ...options }: ChatOptions): ChatOptions {
  return options;
}
