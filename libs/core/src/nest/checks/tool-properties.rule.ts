import { unknownToolText } from '../../execution/tool-lookup.js';
import type { AiApplication } from './ai-application.js';

/** What the configuration says of single tools has allowed values. */
export function checkToolProperties({ registry, toolProperties }: AiApplication): readonly string[] {
  if (toolProperties.isEmpty) return [];
  return [...registry.names].flatMap((name) => toolProperties.check(name));
}

/** The tools that the configuration names are known when the application starts. */
export function checkConfiguredTools({ registry, toolProperties }: AiApplication): readonly string[] {
  const known = registry.names;
  return toolProperties.named
    .filter(({ name }) => !known.has(name))
    .map(
      ({ key, name }) =>
        `${key}.${name} is for a tool that is not known when the application starts. ${unknownToolText(name, [...known])}`,
    );
}
