import type { Type } from '@nestjs/common';
import type { ToolCallback } from '../../model/tool-callback.js';
import { duplicateToolsText } from '../../model/tool-calling-chat-options.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { DiscoveredTool } from './discovered-tool.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** A tool of the application. */
export interface ToolRegistration {
  readonly name: string;
  readonly description: string;
  /** The module whose provider it is. */
  readonly moduleName: string;
  readonly moduleType?: Type;
  readonly className: string;
  readonly classType: ProviderHost['type'];
  /** The `@Tool()` method; undefined for a provider that is a tool itself. */
  readonly methodName?: string;
  /** How the application treats the tool: its category, its policies. */
  readonly metadata: ToolMetadata;
  readonly callback: ToolCallback;
}

/** Where a tool is declared, for messages. */
export function placeOf({ host, methodName }: DiscoveredTool): string {
  const place = methodName === undefined ? host.type.name : `${host.type.name}.${methodName}()`;
  return `${place} in ${host.moduleName}`;
}

/** What is said of two tools with one name, with the place of each; undefined when there are none. */
export function duplicatesText(tools: readonly DiscoveredTool[], remedy: string): string | undefined {
  const named = tools.map((tool) => ({ toolDefinition: { name: tool.name }, origin: placeOf(tool) }));
  return duplicateToolsText(named, remedy);
}

export function toRegistration({ name, methodName, callback, host }: DiscoveredTool): ToolRegistration {
  return {
    name,
    description: callback.toolDefinition.description,
    moduleName: host.moduleName,
    ...(host.wrapper.host && { moduleType: host.wrapper.host.metatype }),
    className: host.type.name,
    classType: host.type,
    metadata: callback.toolMetadata,
    ...(methodName !== undefined && { methodName }),
    callback,
  };
}
