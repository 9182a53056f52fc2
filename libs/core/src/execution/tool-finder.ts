import { Logger } from '@nestjs/common';
import type { Awaitable } from '../model/awaitable.js';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { scopeOf } from '../model/scoped-options.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import type { ToolUi } from '../model/tool-ui.js';
import type { TurnControl } from '../model/turn-control.js';
import { errorTypeOf, nameOrOther } from '../model/error-type.js';
import { uiOfTool } from '../tool/tool-ui.js';
import { isConditional, isVisible } from '../tool/tool-visibility.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';

/** Finds the tools that a model asks for, if the request may have them. */
export class ToolFinder {
  readonly #logger = new Logger('DefaultToolCallingManager');

  constructor(private readonly options: ToolCallingManagerOptions) {}

  /** Whether the name can be that of a tool, rather than one that the model made up. */
  mayBeTool({ name }: ToolCall, prompt: Prompt): boolean {
    if (findTool(prompt.options?.toolCallbacks, name) || prompt.options?.toolNames?.includes(name)) return true;
    return this.options.resolutionFallbackEnabled === true && Boolean(name?.trim());
  }

  /** @throws the error of a filter or of the tool's `visible` */
  find(call: ToolCall, prompt: Prompt, turn: TurnControl): Awaitable<ToolCallback | undefined> {
    const given = findTool(prompt.options?.toolCallbacks, call.name);
    return given ? this.#ifVisible(given, call, prompt, turn) : this.#resolve(call, prompt, turn);
  }

  /**
   * What a browser may see of a call. `none` if the tool cannot be looked up; the call then fails
   * with the reason.
   */
  uiOf(call: ToolCall, prompt: Prompt): Awaitable<ToolUi | undefined> {
    const given = findTool(prompt.options?.toolCallbacks, call.name);
    if (given) return uiOfTool(given);
    return this.mayBeTool(call, prompt) ? this.#uiOfResolved(call.name, prompt) : undefined;
  }

  async #uiOfResolved(name: string, prompt: Prompt): Promise<ToolUi | undefined> {
    try {
      const found = await this.#lookUp(name, prompt);
      return found && uiOfTool(found);
    } catch {
      return 'none';
    }
  }

  async #resolve(call: ToolCall, prompt: Prompt, turn: TurnControl): Promise<ToolCallback | undefined> {
    if (!this.mayBeTool(call, prompt)) return undefined;
    try {
      const found = await this.#lookUp(call.name, prompt);
      return found && (await this.#ifVisible(found, call, prompt, turn));
    } catch (error) {
      // A failed look-up must not end the turn.
      this.#logger.warn(`Could not look up the tool '${nameOrOther(call.name)}': ${errorTypeOf(error)}`);
      return undefined;
    }
  }

  #lookUp(name: string, { options }: Prompt): Awaitable<ToolCallback | undefined> {
    return this.options.toolCallbackResolver?.resolve(name, scopeOf(options)?.callerRequest);
  }

  /** The tool, if the request may have it. An advisor may have added the tool without a check. */
  #ifVisible(
    callback: ToolCallback,
    toolCall: ToolCall,
    prompt: Prompt,
    turn: TurnControl,
  ): Awaitable<ToolCallback | undefined> {
    const { toolFilter } = this.options;
    if (!toolFilter && !isConditional(callback)) return callback;
    const context = new ToolContext(prompt.options?.toolContext, { toolCall, history: prompt.messages, turn });
    return isVisible(callback, context, toolFilter).then((visible) => (visible ? callback : undefined));
  }
}
