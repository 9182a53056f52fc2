/*
 * What stands in the rooms of `rooms.mjs`, and who imports whom. `npm run rooms` prints it; with
 * `-- --write`, it also updates the files that have to list packages and cannot import `rooms.mjs`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOMS } from './rooms.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Statements begin their line, which lines of comments do not. */
const IMPORT = /^(?:import|export)\b(?:[^'`;=]*\bfrom)?\s*'([^']+)'|^[^*]*\b(?:import|require)\('([^']+)'\)/gm;

/** The sources of a room: each path below `src`, with its text. Specs and fixtures are none. */
export function sourcesOf({ folder }) {
  const src = join(ROOT, 'libs', folder, 'src');
  const paths = readdirSync(src, { recursive: true }).filter((path) => /(?<!spec|fixture)\.c?ts$/.test(path));
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(src, path), 'utf8')]));
}

/** The lines of all sources. */
export const countLines = (sources) =>
  [...sources.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);

/** The names that a room exports to applications, by the reports of its types. */
export function countNames({ folder }) {
  const reports = join(ROOT, 'libs', folder, 'api');
  const texts = existsSync(reports)
    ? readdirSync(reports)
        .filter((file) => !file.startsWith('internal'))
        .map((file) => readFileSync(join(reports, file), 'utf8'))
    : [];
  const names = (text) =>
    [...text.matchAll(/^export (?:abstract )?(?:\w+ (\w+)|\{ (\w+) \})/gm)].map(
      ([, declared, passedOn]) => declared ?? passedOn,
    );
  return texts.reduce((sum, text) => sum + new Set(names(text)).size, 0);
}

/** What the sources import from outside of their room, such as `@nestjs/common/exceptions`. */
export function importsOf(sources) {
  const outside = [...sources].flatMap(([path, text]) =>
    specifiersOf(text).filter((specifier) => !specifier.startsWith('.') || target(path, specifier).startsWith('..')),
  );
  return [...new Set(outside)];
}

/** The package of a module specifier. */
export const packageOf = (specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)[0];

/** Imports of a folder that a source may not know, of the container, or of a barrel. An `index.ts` may import all. */
export function findMisplacedImports(sources, { folders, container = '' }) {
  const isPlaced = (path, specifier) => {
    if (path.endsWith('index.ts')) return true;
    if (!specifier.startsWith('.')) return path.startsWith(container) || !/^@nestjs\/(core|config)\b/.test(specifier);
    const [from, into] = [path, target(path, specifier)].map((file) => file.split('/')[0]);
    if (!folders.has(from)) return true;
    return !specifier.endsWith('/index.js') && (from === into || folders.get(from).includes(into));
  };
  return [...sources].flatMap(([path, text]) =>
    specifiersOf(text)
      .filter((specifier) => !isPlaced(path, specifier))
      .map((specifier) => `${path} imports ${specifier}`),
  );
}

/** The groups of sources that import each other, types counted, the largest first. */
export function findCircles(sources) {
  const graph = new Map(
    [...sources].map(([path, text]) => [
      path,
      specifiersOf(text)
        .map((specifier) => target(path, specifier))
        .filter((file) => sources.has(file)),
    ]),
  );
  // A circle is what a file reaches that reaches it, too.
  const reach = new Map([...graph.keys()].map((path) => [path, reachableFrom(path, graph)]));
  const circles = new Map();
  for (const [path, files] of reach) {
    const circle = [...sources.keys()].filter((file) => files.has(file) && reach.get(file).has(path));
    if (circle.length > 0) circles.set(circle.join(' '), circle);
  }
  return [...circles.values()].sort((a, b) => b.length - a.length);
}

function reachableFrom(start, graph) {
  const found = new Set();
  const open = [start];
  while (open.length > 0)
    for (const next of graph.get(open.pop()))
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  return found;
}

const specifiersOf = (text) => [...text.matchAll(IMPORT)].map(([, statement, call]) => statement ?? call);

const target = (path, specifier) =>
  normalize(join(dirname(path), specifier))
    .replaceAll('\\', '/')
    .replace(/\.(c?)js$/, '.$1ts');

/** The files that list packages: the text that each should have. */
export async function listings() {
  return Promise.all([
    listing('tsconfig.json', (text) => {
      const config = JSON.parse(text);
      const paths = ROOMS.flatMap(({ folder, entries }) =>
        entries.map(({ name, source }) => [name, [`./libs/${folder}/src/${source}.ts`]]),
      );
      config.compilerOptions.paths = Object.fromEntries(paths);
      return JSON.stringify(config, null, 2);
    }),
    listing('nest-cli.json', (text) => {
      const config = JSON.parse(text);
      const applications = Object.entries(config.projects).filter(([, { type }]) => type === 'application');
      config.projects = Object.fromEntries([...ROOMS.map(projectOf), ...applications]);
      return JSON.stringify(config, null, 2);
    }),
    listing('ARCHITECTURE.md', (text) => {
      const rows = ROOMS.map(({ folder, name, purpose }) => `| \`libs/${folder}\` | \`${name}\` | ${purpose} |`);
      const arrows = ROOMS.flatMap((room) => arrowsOf(room).map((other) => `  ${room.folder} --> ${other}`));
      const house = ['| room | package | what it has |', '| --- | --- | --- |', ...rows].join('\n');
      const picture = ['```mermaid', 'flowchart BT', ...arrows, '```'].join('\n');
      return text.replace(/(?<=<!-- rooms -->\n).*?(?=<!-- end of rooms -->)/s, `\n${house}\n\n${picture}\n\n`);
    }),
  ]);
}

const projectOf = ({ folder }) => [
  folder,
  {
    type: 'library',
    root: `libs/${folder}`,
    entryFile: 'index',
    sourceRoot: `libs/${folder}/src`,
    compilerOptions: { tsConfigPath: `libs/${folder}/tsconfig.lib.json` },
  },
];

/** The rooms that the sources of a room import, without those that these import themselves. */
function arrowsOf(room) {
  const direct = roomsIn(room);
  const further = new Set(direct.flatMap(roomsIn));
  return direct.filter((other) => !further.has(other)).map(({ folder }) => folder);
}

const roomsIn = (room) => {
  const imported = new Set(importsOf(sourcesOf(room)).map(packageOf));
  return ROOMS.filter(({ name }) => imported.has(name));
};

async function listing(file, change) {
  const path = join(ROOT, file);
  const text = readFileSync(path, 'utf8');
  // Only what writes needs it.
  const { format, resolveConfig } = await import('prettier');
  const options = await resolveConfig(path);
  return { file, text, expected: await format(change(text), { ...options, filepath: path }) };
}

async function main() {
  if (process.argv.includes('--write'))
    for (const { file, expected } of await listings()) writeFileSync(join(ROOT, file), expected);
  const rows = ROOMS.map((room) => {
    const sources = sourcesOf(room);
    const arrows = roomsIn(room).map(({ folder }) => folder);
    return { ...room, files: sources.size, now: countLines(sources), exported: countNames(room), arrows };
  });
  console.log('room           files   lines   limit   names   limit   imports');
  for (const { folder, files, now, lines, exported, names, arrows } of rows)
    console.log(
      folder.padEnd(13),
      ...[files, now, lines, exported, names].map((n) => String(n).padStart(7)),
      ` ${arrows.join(', ')}`,
    );
  const sum = (of) => String(rows.reduce((total, row) => total + of(row), 0)).padStart(7);
  console.log(
    'all'.padEnd(13),
    sum(({ files }) => files),
    sum(({ now }) => now),
    ' '.repeat(7),
    sum(({ exported }) => exported),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
