import type { ToolCallback, ToolCallbackProvider } from '../../model/tool-callback.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** A tool that Nestor found, and where. */
export interface DiscoveredTool {
  readonly name: string;
  readonly callback: ToolCallback;
  readonly host: ProviderHost;
  /** The `@Tool()` method. Undefined if the provider itself is the tool. */
  readonly methodName?: string;
  /** What the method is, if it is not a tool. See `kind` of `ToolOptions`. */
  readonly kind?: string;
  /** The tool before Nestor wrapped it, if the provider itself is the tool. */
  readonly original?: ToolCallback;
  /** Creates the tool for another instance of the host. */
  readonly bindTo?: (instance: object) => ToolCallback;
}

/** The result of a search. */
export interface Exploration {
  readonly tools: readonly DiscoveredTool[];
  /** Methods that run like tools, but are not offered to models. */
  readonly handlers: readonly DiscoveredTool[];
  /** Providers that list their tools for each request. */
  readonly providers: readonly { readonly provider: ToolCallbackProvider; readonly host: ProviderHost }[];
}
