import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { TOOL_CALLING_MANAGER, type ToolCallingManager } from '../execution/tool-calling-manager.js';
import { Prompt } from '../model/prompt.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import type { AskModel, LoopHooks, ToolLoopSettings } from './loop-contract.js';
import { LoopRun } from './loop-run.js';
import type { TurnEnd } from './turn-end.js';

/**
 * The tool loop: model, tools, model, until there is an answer. Shared by calls and streams; each
 * turn is a {@link LoopRun}.
 */
export class ToolLoop {
  #default: ToolCallingManager | undefined;

  constructor(readonly settings: ToolLoopSettings) {}

  /** @throws the reason of the abort if the turn is aborted between two steps */
  run(request: ChatClientRequest, turn: TurnControl, hooks: LoopHooks, ask: AskModel): Promise<TurnEnd> {
    const manager = this.#managerOf(turn);
    return new LoopRun(this.settings, manager, turn, hooks, ask).run(withToolsOfTurn(request, manager));
  }

  #managerOf({ scope }: TurnControl): ToolCallingManager {
    const given = this.settings.toolCallingManager ?? scope.services?.get(TOOL_CALLING_MANAGER);
    return given ?? (this.#default ??= new DefaultToolCallingManager());
  }
}

/** The request with the tools that the manager adds. */
function withToolsOfTurn(request: ChatClientRequest, manager: ToolCallingManager): ChatClientRequest {
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
