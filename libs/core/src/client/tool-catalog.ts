import type { Awaitable } from '../model/awaitable.js';
import type { ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';

/** The tools that a client knows beyond those it is given. In a Nest application, `ToolRegistry` is the catalogue. */
export abstract class ToolCatalog {
  /** Whether all tools are there: while an application starts, some are not. */
  abstract readonly isComplete: boolean;

  /**
   * The tools of an instance, a class, a `ToolCallback` or a `ToolQuery`, as they are registered.
   *
   * @returns undefined for an object that the catalogue does not know
   * @throws TypeError for a `ToolQuery` where there is nothing to search
   */
  abstract toolsOf(toolObject: object): readonly ToolCallback[] | undefined;

  /** The tools that a provider gives now. */
  abstract toolsGivenBy(provider: ToolCallbackProvider): Awaitable<readonly ToolCallback[]>;

  /** The tools that are offered by default: the same list at each call, as long as it does not change. */
  abstract currentCallbacks(): Awaitable<readonly ToolCallback[]>;

  /** The tools that may be asked for by name. */
  abstract allCallbacks(): Awaitable<readonly ToolCallback[]>;

  /** Whether the tool of a name is turned off: a request that asks for it does not have it. */
  abstract isTurnedOff(toolName: string): boolean;
}
