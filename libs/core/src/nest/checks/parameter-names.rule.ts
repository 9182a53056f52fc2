import { describeMethod, findParameterParam, isMinified, readSourceParameters, typedMethodOf } from '@nestor-ai/schema';
import type { DiscoveredTool } from '../discovery/discovered-tool.js';
import type { AiApplication } from './ai-application.js';

/**
 * Warns about parameters whose names a minifier replaced by single letters. The model cannot tell
 * what they mean. One warning covers the application.
 */
export function checkParameterNames({ registry }: AiApplication): readonly string[] {
  const minified = [...registry.found, ...registry.foundHandlers]
    .map(minifiedParameter)
    .filter((text) => text !== undefined);
  if (minified.length === 0) return [];
  const more = minified.length - 1;
  return [
    `${minified[0]}${more > 0 ? `, and of ${more} more ${more > 1 ? 'tools' : 'tool'},` : ''} has a minified name, which tells the ` +
      "model nothing. Name the parameter with @ToolParam({ name: '…' }), or configure the minifier to keep parameter names.",
  ];
}

type Method = (...args: never[]) => unknown;

/** The first parameter that a minifier renamed. */
function minifiedParameter({ methodName, host, callback }: DiscoveredTool): string | undefined {
  const method = methodName === undefined ? undefined : (host.prototype as Record<string, Method>)[methodName];
  if (!method || methodName === undefined || !isMinified(method, host.type)) return undefined;
  // Types keep the names of the source.
  if (typedMethodOf(host.prototype, methodName)) return undefined;
  const { properties = {} } = callback.toolDefinition.inputSchema;
  const target = host.prototype;
  const parameter = readSourceParameters(method)?.find(
    ({ name }, index) =>
      name?.length === 1 &&
      Object.hasOwn(properties as object, name) &&
      findParameterParam(target, methodName, index)?.name === undefined,
  );
  return parameter && `Parameter '${parameter.name}' of ${describeMethod({ target, methodName, options: {} })}`;
}
