import type { Type } from '@nestjs/common';
import type { ToolCriteria } from '../../client/tool-query.js';
import type { DiscoveredTool } from './discovered-tool.js';
import type { ProviderHost } from '../hosts/provider-host.js';

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
