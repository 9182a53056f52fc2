import type { Type } from '@nestjs/common';
import type { ToolCriteria } from '../../client/tool-query.js';
import type { ToolCallback, ToolCallbackProvider } from '../../model/tool-callback.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** A tool that Nestor found, and where. */
export interface DiscoveredTool {
  readonly name: string;
  readonly callback: ToolCallback;
  readonly host: ProviderHost;
  /** The `@Tool()` method. Undefined if the provider itself is the tool. */
  readonly methodName?: string;
  /** What the method is, if it is not a tool. See `kind` of `HandlerOptions`. */
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

/** Whether a tool meets all given criteria. */
export function meets({ include, classes, names, metadata }: ToolCriteria, tool: DiscoveredTool): boolean {
  const { host, name, callback } = tool;
  if (include && !isOfModules(host, include)) return false;
  if (classes && !classes.some((type) => host.type === type || host.wrapper.token === type)) return false;
  if (names && !names.includes(name)) return false;
  if (typeof metadata === 'function') return metadata(callback.toolMetadata);
  return !metadata || Object.entries(metadata).every(([key, value]) => callback.toolMetadata[key] === value);
}

/** Whether a provider or controller belongs to one of the modules. */
export function isOfModules({ wrapper }: ProviderHost, modules: readonly Type[]): boolean {
  return modules.some((type) => wrapper.host?.metatype === type);
}
