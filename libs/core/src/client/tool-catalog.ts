import type { Awaitable } from '../model/awaitable.js';
import type { ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';
import { asGivenBy } from '../tool/trust/provider-tool.js';
import { isToolQuery } from './tool-query.js';

/**
 * The tools that a client can find by name or class. This one is for clients without a container
 * and has no tools. In a Nest application, `ToolRegistry` is the catalog.
 */
export class ToolCatalog {
  /** Whether all tools are known. While an application starts, some are not. */
  get isComplete(): boolean {
    return true;
  }

  /**
   * The registered tools of an instance, a class, a `ToolCallback` or a `ToolQuery`.
   *
   * @returns undefined if the catalog does not know the object
   * @throws TypeError for a `ToolQuery` if there is no container
   */
  toolsOf(toolObject: object): readonly ToolCallback[] | undefined {
    if (!isToolQuery(toolObject)) return undefined;
    throw new TypeError(
      'toolsWhere() needs the injected ChatClient of AiModule. Other clients do not know the tools of the application.',
    );
  }

  /**
   * The tools that a provider lists now.
   *
   * @param request the caller's request
   */
  async toolsGivenBy(provider: ToolCallbackProvider, request?: unknown): Promise<readonly ToolCallback[]> {
    const parts = provider.parts ?? [provider];
    const listed = await Promise.all(parts.map((part) => part.getToolCallbacks(undefined, request)));
    return parts.flatMap((part, index) => listed[index]!.map((callback) => asGivenBy(part, callback)));
  }

  /**
   * Checks a tool of a request before it is resolved.
   *
   * @throws Error if no request may use it
   */
  admit(_callback: ToolCallback): void {}

  /**
   * All tools that can be selected by name.
   *
   * @param _request the caller's request
   */
  allCallbacks(_request?: unknown): Awaitable<readonly ToolCallback[]> {
    return [];
  }

  /** The providers that failed to list their tools. */
  get unavailableProviders(): readonly string[] {
    return [];
  }

  /** Whether a tool is turned off. A request that lists it does not get it. */
  isTurnedOff(_toolName: string): boolean {
    return false;
  }
}
