import { majorOfNest, type Manifest, readInstalled, updateManifest } from '../project.js';
import type { Tree } from '../tree.js';

interface Published {
  version: string;
  peerDependencies: Record<string, string>;
}

/** A provider's package that runs on Node.js 20, and its peer dependency. */
const PROVIDER = { '@ai-sdk/openai': '^3.0.0', zod: '^4.1.8' };

/** The packages of Nestor that only builds and tests need. */
const FOR_DEVELOPMENT = ['@nestor-ai/compiler', '@nestor-ai/testing'];

type Ranges = Readonly<Record<string, string>>;

/** @returns the packages that an application needs for Nestor, each with its range */
export function requiredPackages(manifest: Manifest): { dependencies: Ranges; devDependencies: Ranges } {
  const { version, peerDependencies } = readInstalled('@nestor-ai/core') as unknown as Published;
  const peers = Object.entries(peerDependencies).map(([name, ranges]) => [name, newest(ranges)]);
  return {
    dependencies: {
      ...Object.fromEntries(peers),
      // Later majors are ES modules, which Jest does not load in an application of Nest 11.
      ...(majorOfNest(manifest) < 12 && { '@nestjs/config': '^4.0.0' }),
      '@nestor-ai/core': `^${version}`,
      '@nestor-ai/ai-sdk': `^${version}`,
      ...PROVIDER,
    },
    devDependencies: Object.fromEntries(FOR_DEVELOPMENT.map((name) => [name, `^${version}`])),
  };
}

/** Adds the packages that package.json does not name yet. @returns their names */
export function addDependencies(tree: Tree, manifest: Manifest): string[] {
  const { dependencies = {}, devDependencies = {} } = manifest;
  const required = requiredPackages(manifest);
  const isMissing = ([name]: [string, string]): boolean => !(name in dependencies) && !(name in devDependencies);
  const missing = Object.entries(required.dependencies).filter(isMissing);
  const missingDev = Object.entries(required.devDependencies).filter(isMissing);
  if (missing.length + missingDev.length > 0) {
    updateManifest(tree, (current) => ({
      ...current,
      dependencies: withPackages(dependencies, missing),
      devDependencies: withPackages(devDependencies, missingDev),
    }));
  }
  return [...missing, ...missingDev].map(([name]) => name);
}

/** @returns all packages, sorted by their names */
function withPackages(packages: Ranges, added: readonly [string, string][]): Ranges {
  const all = Object.entries({ ...packages, ...Object.fromEntries(added) });
  return Object.fromEntries(all.sort(([x], [y]) => (x < y ? -1 : 1)));
}

/** @returns the last of the ranges that `||` separates */
const newest = (ranges: string): string => ranges.split('||').at(-1)!.trim();
