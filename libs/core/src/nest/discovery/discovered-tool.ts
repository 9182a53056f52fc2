import type { ToolCallback, ToolCallbackProvider } from '../../model/tool-callback.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** A tool found in the application, and where. */
export interface DiscoveredTool {
  readonly name: string;
  readonly callback: ToolCallback;
  readonly host: ProviderHost;
  /** The `@Tool()` method; undefined for a provider that is a tool itself. */
  readonly methodName?: string;
  /** The provider that is the tool, before anything was put in front of it. */
  readonly original?: ToolCallback;
  /** The tool of another instance of the host. */
  readonly bindTo?: (instance: object) => ToolCallback;
}

/** What was found in the application. */
export interface Exploration {
  readonly tools: readonly DiscoveredTool[];
  /** Asked for their tools at each request. */
  readonly providers: readonly { readonly provider: ToolCallbackProvider; readonly host: ProviderHost }[];
}
