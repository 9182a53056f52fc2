import { unknownToolText } from '../../execution/tool-lookup.js';
import type { AiApplication } from './ai-application.js';

/** The tools that a test overrides are there. */
export function checkToolSubstitutes({ substitutes, registry }: AiApplication): readonly string[] {
  if (registry.mayGrow) return [];
  const known = registry.names;
  return [...substitutes.keys()]
    .filter((name) => !known.has(name))
    .map((name) => `overrideTool() is for a tool that is not there. ${unknownToolText(name, [...known])}`);
}
