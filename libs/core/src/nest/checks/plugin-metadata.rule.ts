import 'reflect-metadata';
import { findParameterParam, hasTypes } from '@nestor-ai/schema';
import { describeName } from '../../model/tool-definition.js';
import type { DiscoveredTool } from '../discovery/discovered-tool.js';
import { findMetadata, hasPlugin, PASS_METADATA, WRITE_METADATA } from '../plugin-metadata/find-metadata.js';
import type { AiApplication } from './ai-application.js';

/**
 * Warns about a `metadata.ts` that the application does not use, and about a compiler plugin that did
 * not run. Without types, a union of texts is any text.
 */
export function checkPluginMetadata({ registry, types }: AiApplication): readonly string[] {
  const methods = [...registry.found, ...registry.foundHandlers].filter(({ methodName }) => methodName !== undefined);
  // Test runners run no plugins. Their log is only for tools that may differ from those of production.
  const relevant = process.env['NODE_ENV'] === 'test' ? methods.filter(mayNeedTypes) : methods;
  if (types.isGiven || relevant.length === 0 || methods.some(({ host }) => hasTypes(host.type))) return [];
  const path = findMetadata();
  if (path !== undefined) {
    return [
      `${path} has the types and comments of your tools, but the application does not use them. Write ${PASS_METADATA}`,
    ];
  }
  if (!hasPlugin()) return [];
  return [
    `nest-cli.json has the compiler plugin, but it did not build your tools: they have no types. ${WRITE_METADATA}`,
  ];
}

/** Whether types or comments could tell the model more: decorators do not describe all of the tool. */
function mayNeedTypes({ host: { prototype }, methodName = '', callback: { toolDefinition } }: DiscoveredTool): boolean {
  if (toolDefinition.description === describeName(toolDefinition.name)) return true;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, methodName) ?? []) as readonly unknown[];
  return types.some((type, at) => VAGUE.has(type) && !findParameterParam(prototype, methodName, at));
}

/** What TypeScript emits for unions, interfaces, lists and the like. */
const VAGUE: ReadonlySet<unknown> = new Set([String, Number, Boolean, Array, Object]);
