import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import type { AskModel, LoopHooks, ToolLoopSettings } from './loop-contract.js';
import { LoopRun } from './loop-run.js';
import type { TurnEnd } from './turn-end.js';

/** The loop: model, tools, model, until there is an answer. It exists once, for calls and streams; each turn is a {@link LoopRun}. */
export class ToolLoop {
  #default: ToolCallingManager | undefined;

  constructor(readonly settings: ToolLoopSettings) {}

  /** @throws the reason of the abort when the turn is aborted between two steps */
  run(request: ChatClientRequest, turn: TurnControl, hooks: LoopHooks, ask: AskModel): Promise<TurnEnd> {
    return new LoopRun(this.settings, this.#managerOf(turn), turn, hooks, ask).run(request);
  }

  #managerOf({ scope }: TurnControl): ToolCallingManager {
    const given = this.settings.toolCallingManager ?? (scope.toolCallingManager as ToolCallingManager | undefined);
    return given ?? (this.#default ??= new DefaultToolCallingManager());
  }
}
