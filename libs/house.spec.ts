import { builtinModules } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import {
  countLines,
  countNames,
  findCircles,
  findMisplacedImports,
  importsOf,
  listings,
  packageOf,
  sourcesOf,
} from './house.mjs';
import { below, BUNDLED, ROOMS } from './rooms.mjs';

describe.each(ROOMS.map((room) => [room.name, room] as const))('%s', (_name, room) => {
  const sources = sourcesOf(room);
  const imports = importsOf(sources);

  it('imports only packages that its package.json names', () => {
    const isAllowed = (name: string): boolean =>
      [...room.mayImport, ...BUNDLED].includes(name) || builtinModules.includes(name.replace(/^node:/, ''));
    expect(imports.filter((specifier) => !isAllowed(packageOf(specifier)))).toEqual([]);
  });

  it('imports other rooms by what they export', () => {
    const entries = ROOMS.flatMap(({ entries: all }) => all.map(({ name }) => name));
    expect(imports.filter((specifier) => /^\.|^@nestor-ai\//.test(specifier) && !entries.includes(specifier))).toEqual(
      [],
    );
  });

  it('depends on the exact version of a room whose internal names it uses', () => {
    const { dependencies, peerDependencies } = room.manifest as Record<string, Record<string, string>>;
    const versions: Readonly<Record<string, string>> = { ...dependencies, ...peerDependencies };
    const used = imports.filter((specifier) => specifier.endsWith('/internal')).map(packageOf);
    expect(used.filter((name) => !/^\d/.test(versions[name] ?? ''))).toEqual([]);
  });

  it('imports only rooms that are built before it', () => {
    const before = ROOMS.slice(0, ROOMS.indexOf(room));
    expect(before).toEqual(expect.arrayContaining(below(room)));
  });

  it('has no import of a folder or of the container where it does not belong', () => {
    expect(findMisplacedImports(sources, room)).toEqual([]);
  });

  it('stays within its lines and names', () => {
    expect(countLines(sources)).toBeLessThanOrEqual(room.lines);
    expect(countNames(room)).toBeLessThanOrEqual(room.names);
  });

  it('has only small groups of sources that import each other', () => {
    expect(findCircles(sources).filter(({ length }) => length > 3)).toEqual([]);
  });
});

it.each(['tsconfig.json', 'nest-cli.json', 'ARCHITECTURE.md'])(
  '%s lists the rooms; npm run rooms -- --write updates it',
  async (file) => {
    const listing = (await listings()).find((other) => other.file === file)!;
    expect(listing.text).toBe(listing.expected);
  },
);
