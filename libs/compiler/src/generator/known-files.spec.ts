import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import type { GeneratedClass } from './generated-class.js';
import { OPTIONS } from './read-source.fixture.js';
import { SchemaGenerator } from './schema-generator.js';

const CORE = '/app/node_modules/@nestor-ai/core/index.d.ts';
const TOOL = "import { Tool } from '@nestor-ai/core';\n";
const FILES = {
  'unit.ts': "export type Unit = 'kg' | 'g';",
  'query.ts': "import type { Unit } from './unit';\nexport interface Query { unit: Unit; zone?: Zone }",
  'zone.ts': 'interface Zone { name: string }',
  'finder.ts': `${TOOL}import type { Query } from './query';\nexport class Finder { @Tool() find(query: Query) {} }`,
  'clock.ts': `${TOOL}export class Clock { @Tool() now(zone: string) {} }`,
};

/** Files on the disk, which are the same in all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Reads programs one after the other. As in watch mode, files that have not changed stay the same. */
class Watch {
  readonly #parsed = new Map<string, ts.SourceFile>();

  read(files: Readonly<Record<string, string>>, options: ts.CompilerOptions = {}): (name: string) => GeneratedClass {
    const texts = new Map(Object.entries(files).map(([name, text]) => [`/app/${name}`, text]));
    texts.set(CORE, 'export function Tool(): MethodDecorator;');
    const all = { ...OPTIONS, ...options };
    const host = ts.createCompilerHost(all);
    const read = host.getSourceFile.bind(host);
    const roots = [...texts.keys()].filter((name) => name !== CORE);
    const program = ts.createProgram(roots, all, {
      ...host,
      getCurrentDirectory: () => '/app',
      fileExists: (name) => texts.has(name) || ts.sys.fileExists(name),
      readFile: (name) => texts.get(name) ?? ts.sys.readFile(name),
      directoryExists: () => true,
      realpath: (name) => name,
      getSourceFile: (name, version) => {
        const text = texts.get(name);
        if (text === undefined) {
          if (!libraries.has(name)) libraries.set(name, read(name, version));
          return libraries.get(name);
        }
        const known = this.#parsed.get(name);
        if (known?.text === text) return known;
        const file = ts.createSourceFile(name, text, version, true);
        this.#parsed.set(name, file);
        return file;
      },
    });
    const classes = [...new SchemaGenerator(ts, program, '/app').generate().values()].flat();
    return (name) => classes.find((one) => one.name === name)!;
  }
}

const unitsOf = ({ types }: GeneratedClass) =>
  (Object(types.methods!['find']!.parameters[0]!.schema).properties as Record<string, { enum?: unknown }>)['unit']
    ?.enum;

describe('KnownFiles', () => {
  it('names the files of a class by their paths in the folder', () => {
    const finder = `${TOOL}import type { Unit } from '../types/unit';\nexport class Finder { @Tool() find(unit: Unit) {} }`;
    const read = new Watch().read({ 'types/unit.ts': FILES['unit.ts'], 'shop/finder.ts': finder });
    expect(Object.keys(read('Finder').types.sources ?? {})).toEqual(['shop/finder.ts', 'types/unit.ts']);
  });

  it('reads only classes again that a changed file may concern', () => {
    const watch = new Watch();
    const before = watch.read(FILES);
    const same = watch.read(FILES);
    expect([same('Finder'), same('Clock')]).toEqual([before('Finder'), before('Clock')]);
    expect(same('Finder')).toBe(before('Finder'));
    const after = watch.read({ ...FILES, 'unit.ts': "export type Unit = 'kg' | 't';" });
    expect([unitsOf(before('Finder')), unitsOf(after('Finder'))]).toEqual([
      ['kg', 'g'],
      ['kg', 't'],
    ]);
    expect(after('Clock')).toBe(before('Clock'));
    const back = watch.read(FILES);
    expect(unitsOf(back('Finder'))).toEqual(['kg', 'g']);
  });

  it.each<[string, Record<string, string>, ts.CompilerOptions?]>([
    ['a file that declares something for all has changed', { 'zone.ts': 'interface Zone { id: string }' }, {}],
    ['such a file is new', { 'more.ts': 'interface Zone { id: string }' }, {}],
    [
      'a file declares more of a module',
      { 'more.ts': "export {};\ndeclare module './query' { interface Query { id: 1 } }" },
      {},
    ],
    ['an import finds another file', { 'unit.tsx': "export type Unit = 't';", 'unit.ts': '' }, {}],
    ['an option has changed', {}, { exactOptionalPropertyTypes: true }],
  ])('reads all classes again if %s', (_case, files, options) => {
    const watch = new Watch();
    const before = watch.read(FILES);
    const changed = Object.entries({ ...FILES, ...files }).filter(([, text]) => text !== '');
    const after = watch.read(Object.fromEntries(changed), options);
    expect(after('Finder')).not.toBe(before('Finder'));
    expect(after('Finder').types).toEqual(new Watch().read(Object.fromEntries(changed), options)('Finder').types);
  });
});
