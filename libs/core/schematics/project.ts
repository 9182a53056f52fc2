import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import type * as TypeScript from 'typescript';
import type { Tree } from './tree.js';

/** The compiler of the application. */
export type Compiler = typeof TypeScript;

/** The part of package.json that the schematics read. */
export interface Manifest {
  type?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Resolves packages from the folder of the application: with pnpm, ours does not see them. */
const requireFromApplication = createRequire(join(process.cwd(), 'package.json'));

export const readManifest = (tree: Tree): Manifest | undefined => {
  const content = tree.read('package.json');
  return content ? (JSON.parse(content.toString()) as Manifest) : undefined;
};

/** @returns package.json of an installed package */
export const readInstalled = (name: string): Record<string, unknown> =>
  requireFromApplication(`${name}/package.json`) as Record<string, unknown>;

/** @returns the major version of Nest that the application declares, or else has installed */
export function majorOfNest({ dependencies = {} }: Manifest): number {
  const range = dependencies['@nestjs/core'] ?? dependencies['@nestjs/common'] ?? '';
  const declared = /\d+/.exec(range)?.[0];
  return Number.parseInt(declared ?? String(readInstalled('@nestjs/core')['version']), 10);
}

/** @returns the extension that relative imports need: Node.js wants it in ES modules */
export const extensionOf = (manifest: Manifest | undefined): string => (manifest?.type === 'module' ? '.js' : '');

/** The Nest CLI writes `undefined` for an option that is not set. */
export const given = (option: string | undefined): string | undefined =>
  option === undefined || option === '' || option === 'undefined' ? undefined : option;

/** @returns a path of the tree, without a slash at its start */
export const pathOf = (...parts: string[]): string => posix.join(...parts).replace(/^\/+/, '');

/** @returns the compiler of the application or of its Nest CLI; undefined when there is none */
export function loadCompiler(): Compiler | undefined {
  const places = [
    () => requireFromApplication,
    () => createRequire(requireFromApplication.resolve('@nestjs/schematics/package.json')),
    () => createRequire(requireFromApplication.resolve('@nestjs/cli/package.json')),
  ];
  for (const place of places) {
    try {
      const compiler = place()('typescript') as Compiler;
      // A compiler without this function has no parser for programs in JavaScript.
      if (typeof compiler.createSourceFile === 'function') return compiler;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    }
  }
  return undefined;
}

/** Writes a file where there is none. @returns whether the path has this content now */
export function createOnce(tree: Tree, path: string, content: string): boolean {
  const existing = tree.read(path);
  if (!existing) tree.create(path, content);
  return !existing || existing.toString() === content;
}

/** Changes package.json, and keeps its indentation. */
export function updateManifest(tree: Tree, change: (manifest: Manifest) => Manifest): void {
  const content = tree.readText('package.json');
  const indent = /\n([ \t]+)"/.exec(content)?.[1] ?? '  ';
  update(tree, 'package.json', `${JSON.stringify(change(JSON.parse(content) as Manifest), undefined, indent)}\n`);
}

/** Overwrites a file where that changes it. */
export function update(tree: Tree, path: string, content: string): void {
  if (tree.read(path)?.toString() !== content) tree.overwrite(path, content);
}
