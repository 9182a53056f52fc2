import type { ChatOptions } from '../model/chat-options.js';

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
