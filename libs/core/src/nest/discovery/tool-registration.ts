import type { ToolCallback } from '../../model/tool-callback.js';
import type { DiscoveredTool } from './discovered-tool.js';

/** A tool of the application. */
export interface ToolRegistration {
  readonly name: string;
  readonly description: string;
  /** The module whose provider it is. */
  readonly moduleName: string;
  readonly className: string;
  /** The `@Tool()` method; undefined for a provider that is a tool itself. */
  readonly methodName?: string;
  readonly callback: ToolCallback;
}

/** Where a tool is declared, for messages. */
export function placeOf({ host, methodName }: DiscoveredTool): string {
  const place = methodName === undefined ? host.type.name : `${host.type.name}.${methodName}()`;
  return `${place} in ${host.moduleName}`;
}

export function toRegistration({ name, methodName, callback, host }: DiscoveredTool): ToolRegistration {
  return {
    name,
    description: callback.toolDefinition.description,
    moduleName: host.moduleName,
    className: host.type.name,
    ...(methodName !== undefined && { methodName }),
    callback,
  };
}
