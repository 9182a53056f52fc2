import type { ChatOptions } from '../model/chat-options.js';
import { TURN_CONTEXT, type TurnContext } from '../model/turn-context.js';

/** The options with the turn that they belong to. */
export function withTurn(options: ChatOptions | undefined, turn: TurnContext): ChatOptions {
  if (options?.[TURN_CONTEXT] === turn) return options;
  // Where turns can be ended from outside, the model has to hear of it as well.
  if (turn.running && !options?.signal) {
    return {
      ...options,
      [TURN_CONTEXT]: turn,
      // Made when a model asks for it: an AbortController costs as much as a chain.
      get signal() {
        return turn.signal;
      },
    };
  }
  return { ...options, [TURN_CONTEXT]: turn };
}

/** The options of the last round. */
export function withoutTools(options: ChatOptions): ChatOptions {
  return { ...options, offeredToolNames: [], toolChoice: 'none' };
}

/** A tool that had to be called has been: to demand it again would never let the model answer. What was approved has run. */
export function forNextRound(options: ChatOptions): ChatOptions {
  const { toolChoice, toolApprovals } = options;
  const isDemanded = toolChoice !== undefined && toolChoice !== 'auto' && toolChoice !== 'none';
  if (!isDemanded && !toolApprovals) return options;
  const { toolChoice: _made, toolApprovals: _given, suspendedTurnId: _id, ...rest } = options;
  return isDemanded || toolChoice === undefined ? rest : { ...rest, toolChoice };
}
