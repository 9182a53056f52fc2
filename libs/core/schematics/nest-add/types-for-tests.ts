import { type Manifest, pathOf, updateManifest } from '../project.js';
import type { Tree } from '../tree.js';

const COMMAND = 'nestor-schemas';

/** The scripts before which the types are written: test runners do not run the compiler plugin, and a build takes the file along. */
const SCRIPTS = ['build', 'test', 'test:watch', 'test:cov', 'test:debug', 'test:e2e'];

/** The file before the command writes it for the first time: the application has to compile. */
const METADATA = `/* eslint-disable */
/* oxlint-disable */
/* prettier-ignore */
// Written by ${COMMAND}. Do not edit.
export default undefined;
`;

const metadataIn = (sourceRoot: string): string => pathOf(sourceRoot, 'metadata.ts');

/** Whether nothing of the application is in the way. The scripts of a monorepo serve several applications. */
export function canHaveTypesForTests(tree: Tree, sourceRoot: string, { scripts = {} }: Manifest): boolean {
  const isFree = SCRIPTS.every((name) => scripts[`pre${name}`] === undefined);
  const isTaken = tree.exists(metadataIn(sourceRoot)) || tree.exists(pathOf(sourceRoot, 'metadata/index.ts'));
  return pathOf(sourceRoot) === 'src' && scripts['test'] !== undefined && isFree && !isTaken;
}

/** Gives tests the types of tools: `nestor-schemas` writes them to `metadata.ts` before each run. */
export function addTypesForTests(tree: Tree, sourceRoot: string): void {
  tree.create(metadataIn(sourceRoot), METADATA);
  updateManifest(tree, (manifest) => {
    const before = SCRIPTS.filter((name) => manifest.scripts?.[name] !== undefined);
    const added = Object.fromEntries(before.map((name) => [`pre${name}`, COMMAND]));
    return { ...manifest, scripts: { ...manifest.scripts, ...added } };
  });
}
