import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { ModulesContainer } from '@nestjs/core';
import type { TestedModule } from '../inspector.options.js';

/** Folders without sources. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'coverage']);
/** The most source files whose names, and whose contents, are looked at. */
const MAX_FILES = 50_000;
const MAX_READ = 5000;
const MAX_FOLDERS = 2000;
/** The name of the module of the inspector. */
const INSPECTOR = 'AiInspectorModule';

/**
 * Finds the root module of an application in its sources. A root module that is not exported, such
 * as one that `main.ts` makes, cannot be imported: the one that it imports takes its place, if that
 * has the inspector.
 *
 * @param folder where the test will be
 * @returns with an empty `from` if no source file exports it
 */
export async function findRootModule(modules: ModulesContainer, folder: string): Promise<TestedModule> {
  // The distance of global modules is the largest number. Nest's own module comes first.
  const root = [...modules.values()].find(({ distance }) => distance === 1);
  const inner = [...(root?.imports ?? [])].filter(({ imports }) =>
    [...imports].some(({ metatype }) => metatype.name === INSPECTOR),
  );
  const names = [root, ...inner].flatMap((module) => module?.metatype.name ?? []);
  const files = await sources();
  const likely = files.filter((file) => /module/i.test(file));
  for (const name of names) {
    const path = (await exporterOf(name, likely)) ?? (await exporterOf(name, files.slice(0, MAX_READ)));
    if (path !== undefined) return { name, from: await importOf(path, folder) };
  }
  return { name: names[0] ?? 'AppModule', from: '' };
}

/** Of several files that export the name: the one next to the script that runs. */
async function exporterOf(name: string, files: readonly string[]): Promise<string | undefined> {
  const escaped = name.replaceAll('$', String.raw`\$`);
  const isExport = new RegExp(String.raw`^export\s+(?:abstract\s+)?class\s+${escaped}(?![\p{ID_Continue}$])`, 'mu');
  const found: string[] = [];
  for (const file of files) if (isExport.test(await readFile(file, 'utf8').catch(() => ''))) found.push(file);
  const script = dirname(resolve(process.argv[1] ?? '.'));
  return found.sort((one, other) => distance(script, one) - distance(script, other))[0];
}

/** How many folders lie between. */
function distance(from: string, to: string): number {
  return relative(from, dirname(resolve(to)))
    .split(/[\\/]/)
    .filter(Boolean).length;
}

/** The import as the project writes its own: with `.js`, or without an extension. */
async function importOf(path: string, folder: string): Promise<string> {
  const file = relative(folder, path).replaceAll('\\', '/').replace(/\.ts$/, '');
  const writesExtensions = /from\s+['"]\.{1,2}\/[^'"]*\.js['"]/.test(await readFile(path, 'utf8'));
  return `${file.startsWith('.') ? file : `./${file}`}${writesExtensions ? '.js' : ''}`;
}

/** Those of the outer folders first. What cannot be read has no module. */
async function sources(): Promise<string[]> {
  const found: string[] = [];
  const folders = ['.'];
  for (let at = 0; at < Math.min(folders.length, MAX_FOLDERS) && found.length < MAX_FILES; at++) {
    const entries = await readdir(folders[at]!, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folders[at]!, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile() && /(?<!\.d|\.spec|\.test)\.ts$/.test(entry.name)) found.push(path);
    }
  }
  return found;
}
