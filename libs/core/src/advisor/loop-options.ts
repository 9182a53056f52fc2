import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import type { Message } from '../model/messages.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import type { ChatOptions } from '../model/chat-options.js';
import { Prompt } from '../model/prompt.js';
import type { TurnControl } from '../model/turn-control.js';

/** The request with the tools that the manager adds. */
export function withToolsOfTurn(request: ChatClientRequest, manager: ToolCallingManager): ChatClientRequest {
  const { messages, options } = request.prompt;
  const given = options?.toolCallbacks;
  const toolCallbacks = given && manager.toolsOfTurn?.(given);
  if (!toolCallbacks || toolCallbacks === given) return request;
  const { offeredToolNames } = options;
  const added = toolCallbacks.filter((callback) => !given.includes(callback));
  return {
    ...request,
    prompt: Prompt.of(messages, {
      ...options,
      toolCallbacks,
      ...(offeredToolNames && {
        offeredToolNames: [...offeredToolNames, ...added.map(({ toolDefinition }) => toolDefinition.name)],
      }),
    }),
  };
}

/** The options of the last round, without tools. */
export function withoutTools(options: ChatOptions): ChatOptions {
  return { ...options, offeredToolNames: [], providerTools: [], toolChoice: 'none' };
}

/**
 * The options after a round. They drop a required `toolChoice`, because the model could never
 * answer while it must call a tool, the approvals, because those calls have run, and the tools of
 * the provider that have reached a limit.
 */
export function forNextRound(
  options: ChatOptions,
  manager: Pick<ToolCallingManager, 'providerToolsOfRound'>,
  { toolCallCounts }: Pick<TurnControl, 'toolCallCounts'>,
): ChatOptions {
  const next = withoutDemands(options);
  const { providerTools } = next;
  if (!providerTools || !toolCallCounts) return next;
  const left = manager.providerToolsOfRound(providerTools, toolCallCounts);
  return left === providerTools ? next : { ...next, providerTools: left };
}

/** The options of a resumed turn whose next step is to ask the model. */
export function withoutApprovals(options: ChatOptions): ChatOptions {
  const { toolApprovals: _given, suspendedTurnId: _id, ...rest } = options;
  return rest;
}

function withoutDemands(options: ChatOptions): ChatOptions {
  const { toolChoice, toolApprovals } = options;
  const isDemanded = toolChoice !== undefined && toolChoice !== 'auto' && toolChoice !== 'none';
  if (!isDemanded && !toolApprovals) return options;
  const { toolChoice: _made, ...rest } = withoutApprovals(options);
  return isDemanded || toolChoice === undefined ? rest : { ...rest, toolChoice };
}

/** The messages of the next round, unless a hook chooses others. */
export function nextMessages(
  { prompt }: ChatClientRequest,
  { conversationHistory }: ToolExecutionResult,
  isHistoryEnabled: boolean,
): readonly Message[] {
  if (isHistoryEnabled || conversationHistory.length === 0) return conversationHistory;
  const system = prompt.messages.find(({ role }) => role === 'system');
  const last = conversationHistory.at(-1)!;
  return system ? [system, last] : [last];
}
