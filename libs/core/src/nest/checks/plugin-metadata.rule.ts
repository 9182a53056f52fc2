import { hasTypes } from '@nestor-ai/schema';
import { findMetadata, hasPlugin, PASS_METADATA, WRITE_METADATA } from '../plugin-metadata/find-metadata.js';
import type { AiApplication } from './ai-application.js';

/**
 * Warns about a `metadata.ts` that the application does not use, and about a compiler plugin that did
 * not run. Without types, a union of texts is any text.
 */
export function checkPluginMetadata({ registry, types }: AiApplication): readonly string[] {
  const methods = [...registry.found, ...registry.foundHandlers].filter(({ methodName }) => methodName !== undefined);
  if (types.isGiven || methods.length === 0 || methods.some(({ host }) => hasTypes(host.type))) return [];
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
