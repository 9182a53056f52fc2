import { posix } from 'node:path';
import { pathOf } from '../project.js';
import type { Tree } from '../tree.js';

const CREATES_APPLICATION = /NestFactory\s*\.\s*create\w*\s*(?:<[^>]*>)?\(\s*(\w+)/;

/** @returns the file of the module that main.ts starts, or else app.module.ts, if there is one */
export function findRootModule(tree: Tree, sourceRoot: string): string | undefined {
  const main = tree.read(pathOf(sourceRoot, 'main.ts'))?.toString() ?? '';
  const name = CREATES_APPLICATION.exec(main)?.[1];
  const imported = name && new RegExp(`import[^;]*\\b${name}\\b[^;]*from\\s*['"](\\.[^'"]+)['"]`).exec(main)?.[1];
  const paths = [
    ...(imported ? [pathOf(sourceRoot, `${imported.replace(/\.[jt]s$/, '')}.ts`)] : []),
    pathOf(sourceRoot, 'app.module.ts'),
  ];
  return paths.find((path) => tree.exists(path));
}

/** @returns the module file of a folder, or of the nearest folder above it */
export function findNearestModule(tree: Tree, folder: string): string | undefined {
  for (let path = folder; ; path = posix.dirname(path)) {
    const files = tree.getDir(path === '.' ? '/' : path).subfiles.filter((file) => file.endsWith('.module.ts'));
    if (files[0]) return pathOf(path, files[0]);
    if (path === '.' || path === '/' || path === '') return undefined;
  }
}
