/* Which test files notice a fault soonest. */
import { dirname, relative, sep } from 'node:path';
import { ROOT } from './tier.mjs';

/**
 * @param fault a place in a source
 * @param files `{ path, seconds, ids }` of each test file
 * @returns the files that reach the fault: those beside the source first, then those that reach little
 *   else, then short ones
 */
export function byNearness(fault, files) {
  const distance = new Map(files.map((file) => [file, distanceOf(fault.file, relative(ROOT, file.path))]));
  return files
    .filter(({ ids }) => ids.has(fault.id))
    .sort((a, b) => distance.get(a) - distance.get(b) || a.ids.size - b.ids.size || a.seconds - b.seconds);
}

/** How many folders there are between two files; nothing between a source and its spec. */
function distanceOf(source, test) {
  if (test.startsWith(source.replace(/ts$/, ''))) return 0;
  return 1 + relative(dirname(source), dirname(test)).split(sep).filter(Boolean).length;
}
