import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, sourceHash } from '@nestor-ai/schema';

/**
 * Outside production, compares the sources that types were read from with their hashes, where the
 * sources exist.
 *
 * @param types the `ClassTypes` of classes
 * @returns the paths of the files that have changed
 */
export async function changedSources(types: readonly unknown[]): Promise<readonly string[]> {
  if (process.env['NODE_ENV'] === 'production') return [];
  const hashes = new Map<string, Set<unknown>>();
  for (const one of types) {
    const sources = isJsonObject(one) && isJsonObject(one['sources']) ? one['sources'] : {};
    for (const [path, hash] of Object.entries(sources)) hashes.set(path, (hashes.get(path) ?? new Set()).add(hash));
  }
  const changed = await Promise.all([...hashes].map(async ([path, expected]) => hasChanged(path, expected)));
  return [...hashes.keys()].filter((_path, index) => changed[index]);
}

async function hasChanged(path: string, expected: ReadonlySet<unknown>): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(resolve(path), 'utf8');
  } catch {
    // Only the compiled code is here, or the process runs in another folder.
    return false;
  }
  const hash = sourceHash(text);
  return [...expected].some((known) => known !== hash);
}
