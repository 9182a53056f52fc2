import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { readSafely } from '@nestor-ai/schema';

/** The package of the compiler plugin. */
export const PLUGIN = '@nestor-ai/compiler';

const NAMES = ['metadata.ts', 'metadata.js', 'metadata.mjs', 'metadata.cjs'];

/** How to use a `metadata.ts`. */
export const PASS_METADATA =
  "import metadata from './metadata.js' (in CommonJS './metadata'), and pass it with " +
  'AiModule.forRoot({ pluginMetadata: metadata }).';

/** What to do where the compiler plugin does not run. */
export const WRITE_METADATA =
  'Vitest, Jest, rspack, esbuild, tsx and swc without typeCheck do not run plugins of the Nest CLI. For them, run "npx nestor-schemas" ' +
  `of ${PLUGIN} (before tests as "pretest" in package.json), ${PASS_METADATA}`;

/** Whether the `nest-cli.json` of a folder names the compiler plugin. */
export function hasPlugin(folder = process.cwd()): boolean {
  return hasText(join(folder, 'nest-cli.json'), PLUGIN);
}

/**
 * Finds a `metadata.ts` that the compiler plugin or `nestor-schemas` has written, or its output:
 * beside the file that was started, or in the sources of the application that it belongs to. The
 * Nest CLI puts `apps/shop` of a monorepo into `dist/apps/shop`.
 *
 * @param folder in which the process was started
 * @param main the file that was started
 * @returns its path, relative to the folder
 */
export function findMetadata(folder = process.cwd(), main = process.argv[1]): string | undefined {
  const started = main === undefined ? undefined : dirname(main);
  const sources = [join(folder, 'src'), ...(started === undefined ? [] : sourcesOf(folder, started))];
  const candidates = [
    ...[...new Set(sources)].map((source) => join(source, 'metadata.ts')),
    ...(started === undefined ? [] : NAMES.map((name) => join(started, name))),
  ];
  const found = candidates.find((path) => hasText(path, '@nestor-ai/core'));
  return found && relative(folder, found).replaceAll(sep, '/');
}

/** `apps/shop/src` for `dist/apps/shop`. */
function sourcesOf(folder: string, started: string): readonly string[] {
  const [output, ...project] = relative(folder, started).split(sep);
  const isInside = output !== '..' && project.length > 0 && project[0] !== '..' && !project.includes('node_modules');
  if (!isInside) return [];
  const source = join(folder, ...project);
  return project.at(-1) === 'src' ? [source] : [join(source, 'src')];
}

/** `@nestjs/swagger` writes a file of this name as well. */
function hasText(path: string, text: string): boolean {
  return readSafely(() => readFileSync(path, 'utf8').includes(text)) === true;
}
