import type { Type } from '@nestjs/common';
import type { ToolCallback } from '../../model/tool-callback.js';
import { duplicateToolsText } from '../../model/tool-calling-chat-options.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { ToolInputSources } from '@nestor-ai/schema';
import { recordOf } from '../../tool/record-of.js';
import { baseOf } from '../../tool/tool-record.js';
import type { DiscoveredTool } from './discovered-tool.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** A tool of the application. */
export interface ToolRegistration {
  readonly name: string;
  readonly description: string;
  /** The module that provides the tool. */
  readonly moduleName: string;
  readonly moduleType?: Type;
  readonly className: string;
  readonly classType: ProviderHost['type'];
  /** The `@Tool()` method. Undefined if the provider itself is the tool. */
  readonly methodName?: string;
  /** Metadata for the application, such as the tool's policies. */
  readonly metadata: ToolMetadata;
  readonly callback: ToolCallback;
  /**
   * Where the description and the schemas of the parameters come from. Undefined if the provider
   * itself is the tool.
   *
   * @example
   * { description: 'types', parameters: { city: 'types', unit: 'ToolParam' } }
   */
  readonly inputSources?: ToolInputSources | undefined;
}

/** The class and method of a tool, for messages. */
export function placeOf(className: string, methodName: string | undefined): string {
  return methodName === undefined ? className : `${className}.${methodName}()`;
}

/** Names tools that have the same name, with their places. Undefined if there are none. */
export function duplicatesText(tools: readonly DiscoveredTool[], remedy: string): string | undefined {
  const placed = tools.map(({ name, host, methodName }) => ({
    toolDefinition: { name },
    origin: `${placeOf(host.type.name, methodName)} in ${host.moduleName}`,
  }));
  return duplicateToolsText(placed, remedy);
}

export function toRegistration(tool: DiscoveredTool): ToolRegistration {
  const { name, methodName, callback, host } = tool;
  const registration: ToolRegistration = {
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
  // Not enumerable: a copy or a log of the registration must not read them.
  return Object.defineProperty(registration, 'inputSources', { get: () => inputSourcesOfTool(tool) });
}

function inputSourcesOfTool({ methodName, callback }: DiscoveredTool): ToolInputSources | undefined {
  const record = recordOf(callback);
  if (methodName === undefined || !record.method) return undefined;
  const { sources } = record.method;
  const isOverridden = record.definition.description !== baseOf(record).definition.description;
  return isOverridden ? { ...sources, description: 'configuration' } : sources;
}
