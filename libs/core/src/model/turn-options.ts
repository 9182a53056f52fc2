import type { ChatOptions } from './chat-options.js';
import { TURN_CONTEXT, type TurnContext } from './turn-context.js';

/**
 * How options tell a model that their turn is ended from outside. The signal is made when somebody asks for it: an `AbortController`
 * costs as much as a chain. One getter for all, since one of each object's own would give each a hidden class of its own, which keeps its
 * turn alive until the next full garbage collection.
 */
const SIGNAL: PropertyDescriptor & ThisType<ChatOptions> = {
  get() {
    return this[TURN_CONTEXT]?.signal;
  },
  enumerable: true,
  configurable: true,
};

/** The options with the turn that they belong to. */
export function withTurn(options: ChatOptions = {}, turn: TurnContext): ChatOptions {
  if (options[TURN_CONTEXT] === turn) return options;
  return turn.running && !options.signal ? hearing(options, turn) : { ...options, [TURN_CONTEXT]: turn };
}

function hearing(options: ChatOptions, turn: TurnContext): ChatOptions {
  // First of all properties: in an object that has others already it takes four times as long.
  const made = Object.defineProperty({}, 'signal', SIGNAL) as { [TURN_CONTEXT]: TurnContext };
  Object.assign(made, 'signal' in options ? withoutSignal(options) : options);
  made[TURN_CONTEXT] = turn;
  return made;
}

/** What is there and undefined cannot be written over a getter. */
function withoutSignal({ signal: _none, ...options }: ChatOptions): ChatOptions {
  return options;
}
