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

/** The class of a tool, with its method, for people. */
export function placeOf(className: string, methodName: string | undefined): string {
  return methodName === undefined ? className : `${className}.${methodName}()`;
}

/** What is said of two tools with one name, with the place of each; undefined when there are none. */
export function duplicatesText(tools: readonly DiscoveredTool[], remedy: string): string | undefined {
  const placed = tools.map(({ name, host, methodName }) => ({
    toolDefinition: { name },
    origin: `${placeOf(host.type.name, methodName)} in ${host.moduleName}`,
  }));
  return duplicateToolsText(placed, remedy);
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
