import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadTypeScript } from '../typescript.js';
import { type CommandArguments, UsageError } from './command-arguments.js';
import { findProject, type Project } from './find-project.js';

const ts = loadTypeScript();
const SHOP = { root: 'apps/shop', sourceRoot: 'apps/shop/src' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const find = (args: Partial<CommandArguments> = {}): Project =>
  findProject(ts, folder, { project: undefined, tsconfig: undefined, out: undefined, ...args });

describe('findProject', () => {
  it.each<[string, Readonly<Record<string, unknown>>, Partial<CommandArguments>, string, string]>([
    ['without nest-cli.json', { 'tsconfig.json': {} }, {}, 'tsconfig.json', 'src/metadata.ts'],
    [
      'the tsconfig of the build first',
      { 'tsconfig.json': {}, 'tsconfig.build.json': {} },
      {},
      'tsconfig.build.json',
      'src/metadata.ts',
    ],
    [
      'what nest-cli.json says',
      {
        'nest-cli.json': { sourceRoot: 'lib', compilerOptions: { tsConfigPath: 'a.json' } },
        'a.json': {},
        'tsconfig.json': {},
      },
      {},
      'a.json',
      'lib/metadata.ts',
    ],
    [
      'a project of a monorepo',
      {
        'nest-cli.json': { monorepo: true, projects: { shop: SHOP } },
        'apps/shop/tsconfig.app.json': {},
        'tsconfig.json': {},
      },
      { project: 'shop' },
      'apps/shop/tsconfig.app.json',
      'apps/shop/src/metadata.ts',
    ],
    [
      'what the arguments say',
      { 'a.json': {}, 'tsconfig.json': {} },
      { tsconfig: 'a.json', out: 'b.ts' },
      'a.json',
      'b.ts',
    ],
  ])('finds %s', (_what, files, args, tsconfig, out) => {
    write(files);
    expect(find(args)).toEqual({ tsconfig: join(folder, tsconfig), out: join(folder, out) });
  });

  it.each<[string, Readonly<Record<string, unknown>>, Partial<CommandArguments>, string]>([
    ['a broken nest-cli.json', { 'nest-cli.json': '{ "root": ' }, {}, 'nest-cli.json is no valid JSON: '],
    [
      'an unknown project',
      { 'nest-cli.json': { projects: { shop: SHOP, admin: {} } } },
      { project: 'shpo' },
      'nest-cli.json has no project shpo. It has shop, admin.',
    ],
    [
      'a project where there are none',
      {},
      { project: 'toString' },
      'nest-cli.json has no project toString. It has no projects.',
    ],
    [
      'a missing tsconfig',
      {},
      {},
      'There is no tsconfig.build.json and no tsconfig.json in FOLDER. Pass one with --project.',
    ],
    [
      'a missing tsconfig of the arguments',
      { 'tsconfig.json': {} },
      { tsconfig: 'a.json' },
      'There is no a.json in FOLDER.',
    ],
  ])('names %s', (_what, files, args, message) => {
    write(files);
    expect(() => find(args)).toThrow(UsageError);
    expect(() => find(args)).toThrow(message.replace('FOLDER', folder));
  });
});
