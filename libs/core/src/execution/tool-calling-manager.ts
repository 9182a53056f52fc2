import type { Awaitable } from '../model/awaitable.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { ChatResponse } from '../model/chat-response.js';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import type { ProviderTool } from '../model/provider-tool.js';
import { serviceKey } from '../model/request-services.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolCallCounts } from '../model/turn-control.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolEffect } from '../model/tool-labels.js';
import type { ToolExecutionResult } from './tool-execution-result.js';

/** Runs the tools of loops without their own manager, so that limits, guards and policies apply. */
export const TOOL_CALLING_MANAGER = serviceKey<ToolCallingManager>('ToolCallingManager');

/** Runs the tool calls that a model asks for. */
export abstract class ToolCallingManager {
  /** Whether an audit of the application records the calls that this manager runs. */
  get isAudited(): boolean {
    return false;
  }

  /**
   * The tools of a turn. The tool loop calls this once per turn.
   *
   * @param callbacks the tools of the request
   * @returns these tools plus those of the manager. Default: adds none
   */
  toolsOfTurn(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    return callbacks;
  }

  /**
   * The tools of the provider that the model may use in a further round of a turn. The tool loop
   * calls this after tools have run.
   *
   * @param tools the tools of the request
   * @param counts the calls of the turn so far
   * @returns the tools that have reached no limit. Default: all
   */
  providerToolsOfRound(tools: readonly ProviderTool[], _counts: ToolCallCounts): readonly ProviderTool[] {
    return tools;
  }

  /** What a tool changes, as its label or that of the configuration says. Default: only its label. */
  effectOf({ toolMetadata }: ToolCallback): ToolEffect | undefined {
    return toolMetadata?.effect;
  }

  /** The tool definitions to send to a model with these options. */
  abstract resolveToolDefinitions(options: ChatOptions): ToolDefinition[];

  /**
   * Whether there is a tool for a call. A suspended turn cannot be resumed without its tools.
   * Default: whether the request has a tool of that name.
   *
   * @param prompt the conversation before the call, with the available tools in its options
   */
  hasTool({ name }: ToolCall, { options }: Prompt): Awaitable<boolean> {
    return findTool(options?.toolCallbacks, name) !== undefined || options?.toolNames?.includes(name) === true;
  }

  /**
   * Runs the tool calls of a response.
   *
   * @param prompt the conversation up to the response, with the available tools in its options
   * @param response the model's message that asks for tool calls
   * @throws ToolCallLimitExceededException if the model asks for more calls than a turn may make
   */
  abstract executeToolCalls(prompt: Prompt, response: ChatResponse): Promise<ToolExecutionResult>;
}
