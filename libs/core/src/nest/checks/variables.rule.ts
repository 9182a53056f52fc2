import { readFileSync } from 'node:fs';
import { readSafely } from '@nestor-ai/schema';
import { KnownVariables } from '../properties/environment-variables.js';
import { keysUnder, type PropertySource } from '../properties/property-source.js';
import type { AiApplication } from './ai-application.js';

const PREFIX = 'AI_';

/** How many variables a warning names. */
const MAX_NAMED = 5;

/**
 * Warns about environment variables that look like properties but have no effect: misspelled ones,
 * and all of them if AiModule sees no `ConfigModule`.
 */
export function checkVariables({ configuration }: AiApplication): readonly string[] {
  const known = new KnownVariables();
  const variables = variablesOf(configuration);
  if (!configuration) return unread(variables.filter((name) => known.isKnown(name)));
  return variables.flatMap((name) => {
    const nearest = known.isKnown(name) ? undefined : known.nearest(name);
    return nearest === undefined ? [] : `The environment variable ${name} is not known. Did you mean ${nearest}?`;
  });
}

function unread(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return [
    `${names.slice(0, MAX_NAMED).join(', ')}${more} of the environment or .env ${names.length > 1 ? 'have' : 'has'} no effect: AiModule ` +
      'sees no ConfigModule, so it has read neither of them. Import ConfigModule.forRoot({ isGlobal: true }) of @nestjs/config.',
  ];
}

function variablesOf(source: PropertySource | undefined): readonly string[] {
  const keys = source ? keysUnder(source, ['ai']) : [...Object.keys(process.env), ...namesInFile()];
  return [...new Set(keys)].filter((key) => key.startsWith(PREFIX));
}

/** The names in the file that `ConfigModule` would read. */
function namesInFile(): readonly string[] {
  const text = readSafely(() => readFileSync('.env', 'utf8')) ?? '';
  return [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*[=:]/gm)].map(([, name]) => name!);
}
