import type { UnknownKey } from '../properties/unknown-keys.js';
import type { AiApplication } from './ai-application.js';

/** Checks that AiModule or an extension knows each key under `ai`. */
export function checkKnownKeys(application: AiApplication): readonly string[] {
  return unknownIn(application)
    .filter(({ isForeign }) => !isForeign)
    .map(({ text }) => text);
}

/** Warns about keys that may belong to others. */
export function checkForeignKeys(application: AiApplication): readonly string[] {
  return unknownIn(application)
    .filter(({ isForeign }) => isForeign)
    .map(({ text }) => `${text} It is ignored.`);
}

function unknownIn({ unknownKeys, extensions }: AiApplication): readonly UnknownKey[] {
  return unknownKeys.list.filter(({ path }) => !extensions.reads(path));
}
