import type { ToolContext } from './tool-context.js';
import type { ToolDefinition } from './tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from './tool-metadata.js';
import type { ToolResult } from './tool-result.js';

const TOOL_CALLBACK = Symbol.for('nestor.ToolCallback');
const TOOL_CALLBACK_PROVIDER = Symbol.for('nestor.ToolCallbackProvider');

/**
 * A tool that can be offered to a model and called.
 *
 * Most tools are `@Tool()` methods. Extend this class for a tool that is neither a method nor a
 * function.
 */
export abstract class ToolCallback {
  readonly [TOOL_CALLBACK] = true;

  /** The definition that the model receives. */
  abstract readonly toolDefinition: ToolDefinition;

  /** How the application treats the tool. */
  readonly toolMetadata: ToolMetadata = DEFAULT_TOOL_METADATA;

  /** Where the tool is defined, for developer messages: `WeatherTools.getWeather()`. */
  readonly origin: string = this.constructor.name;

  /**
   * Runs the tool.
   *
   * @param toolInput the arguments that the model wrote: JSON text, possibly invalid
   * @param context the application's data for the tool
   * @returns the text that the model reads, or a {@link ToolResult}
   * @throws ToolExecutionException when the arguments are invalid or the tool fails
   * @throws ToolInputRequiredException when the tool asks its user for input
   */
  abstract call(toolInput: string, context?: ToolContext): Promise<string | ToolResult>;

  /**
   * Checks that the tool can be offered. Called once: at bootstrap, or by the request that adds
   * the tool. Does nothing by default.
   *
   * @throws Error that names the problem, such as an invalid schema
   */
  verify(): void {}
}

/** Whether a value is a {@link ToolCallback}, from any copy of this package. */
export function isToolCallback(value: unknown): value is ToolCallback {
  return typeof value === 'object' && value !== null && TOOL_CALLBACK in value;
}

/**
 * Marks a tool that belongs to the tool loop, such as one that finds other tools. `ToolFilter`s do
 * not apply to it.
 */
export const LOOP_TOOL: unique symbol = Symbol.for('nestor.LoopTool');

/** The tools of a container, with their guards and scopes. */
export interface RegisteredTools {
  /** The registered tools of an object or class. Undefined if the container does not know it. */
  of(toolObject: object): readonly ToolCallback[] | undefined;
  /**
   * The current tools of another provider.
   *
   * @param request the caller's request that this provider received
   */
  givenBy(provider: ToolCallbackProvider, request?: unknown): Promise<readonly ToolCallback[]>;
}

/** Provides tools for each request: a fixed list, or the tools available at that moment. */
export abstract class ToolCallbackProvider {
  readonly [TOOL_CALLBACK_PROVIDER] = true;

  /**
   * Whether a request fails if this provider fails, or if one of its tools is invalid or has a
   * name that is already in use. If false, requests that don't list the provider continue without
   * these tools, and `ToolProviderStatus` reports the failure. Default: false.
   */
  declare readonly required?: boolean;

  /**
   * Whether to trust the labels of its tools, because you wrote them. If false, the tools are
   * treated like tools of a foreign server: they are `untrusted`, and their declared `effect`
   * counts only if it is more serious than `write`. `ai.tools.overrides` has precedence over both.
   * Labels of tool methods are always trusted. Default: false.
   */
  declare readonly trusted?: boolean;

  /** A prefix for the names of its tools that avoids name conflicts: `github_`. Default: none. */
  declare readonly prefix?: string;

  /**
   * Which names get the prefix in a container. `always`: all. `collision`: those that a tool of the
   * application or an earlier provider has, or that start with the prefix of another provider.
   * Within a process, a tool keeps the name that it was first given. Default: `always`.
   */
  declare readonly prefixWhen?: 'always' | 'collision';

  /**
   * Whether the tools depend on the caller, such as the tools of a user's account. If
   * {@link getToolCallbacks} is too slow for one caller, Nestor still calls it for the next one.
   * Default: false.
   */
  declare readonly perRequest?: boolean;

  /** The name of the provider in logs and in `ToolProviderStatus`. Default: its class and module. */
  declare readonly displayName?: string;

  /**
   * The providers that this provider combines, such as one for each server. In a container, each
   * has its own time limit, fails on its own and has its own status. Default: none.
   */
  declare readonly parts?: readonly ToolCallbackProvider[];

  /**
   * Returns the current tools. Called once per request.
   *
   * @param registered given by a client that runs in a container; providers of tool objects and of
   * other providers' tools read their tools from it, so that their guards and scopes apply
   * @param request the caller's request: the value of `.request(…)`, or the HTTP request that the
   * application handles. Undefined if there is none, for example when a health check lists all
   * tools. Set {@link perRequest} if the result depends on it.
   */
  abstract getToolCallbacks(
    registered?: RegisteredTools,
    request?: unknown,
  ): readonly ToolCallback[] | Promise<readonly ToolCallback[]>;
}

/** Whether a value is a {@link ToolCallbackProvider}, from any copy of this package. */
export function isToolCallbackProvider(value: unknown): value is ToolCallbackProvider {
  return typeof value === 'object' && value !== null && TOOL_CALLBACK_PROVIDER in value;
}
