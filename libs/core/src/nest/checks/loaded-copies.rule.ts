import { loadedCopies, PACKAGE_NAME } from '../../model/loaded-copies.js';

const SEVERAL_VERSIONS = `Install one version: npm ls ${PACKAGE_NAME} shows which package needs which version.`;
const SEVERAL_BUILDS =
  'Load it only once: bundle it everywhere or nowhere, and run tests entirely as ES modules or entirely as CommonJS.';

/**
 * Warns if this package is loaded more than once. Classes, decorators and tokens of one copy are
 * unknown to the other.
 */
export function checkLoadedCopies(): readonly string[] {
  const copies = loadedCopies();
  if (copies.length < 2) return [];
  const list = copies.map(({ version, file }) => `\n  - ${version}, ${file}`).join('');
  const versions = new Set(copies.map(({ version }) => version));
  return [
    `${PACKAGE_NAME} is loaded ${copies.length} times. AiModule does not see tools, models and clients from ` +
      `another copy. ${versions.size > 1 ? SEVERAL_VERSIONS : SEVERAL_BUILDS}${list}`,
  ];
}
