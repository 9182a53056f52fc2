import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createProgramOf, inFolder } from '../emit.fixture.js';
import { before } from '../transformer/before.js';
import { loadTypeScript } from '../typescript.js';

const ts = loadTypeScript();

const TOOLS = `import { Tool } from '@nestor-ai/core';
import type { Options } from './options';
export class Finder { /** Finds. */ @Tool() find(city: string, options: Options) { return [city, options]; } }`;
const FILES = {
  'finder.ts': TOOLS,
  'options.ts': `export type { Options } from './declared';`,
  'declared.ts': 'export interface Options { limit?: number }',
};

/** Compiles as ts-loader does in watch mode: with one language service, and transformers that are made once. */
function load(files: Readonly<Record<string, string>>, folder: string) {
  const changed = new Map<string, string>();
  const names = Object.keys(files).map((name) => join(folder, name));
  const options = { ...createProgramOf(folder, files).getCompilerOptions(), suppressOutputPathCheck: true };
  const textOf = (name: string) => changed.get(name) ?? (ts.sys.fileExists(name) ? readFileSync(name, 'utf8') : '');
  let transformers: import('typescript').CustomTransformers = {};
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => names,
    getScriptVersion: (name) => String(changed.get(name)?.length ?? 0),
    getScriptSnapshot: (name) =>
      changed.has(name) || ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(textOf(name)) : undefined,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => changed.has(name) || ts.sys.fileExists(name),
    readFile: textOf,
    directoryExists: ts.sys.directoryExists,
    getCustomTransformers: () => transformers,
  });
  transformers = { before: [before({}, service.getProgram()!)] };
  return {
    write(name: string, text: string): void {
      changed.set(join(folder, name), text);
      if (!names.includes(join(folder, name))) names.push(join(folder, name));
    },
    remove(name: string): void {
      names.splice(names.indexOf(join(folder, name)), 1);
    },
    emit: (name: string) => service.getEmitOutput(join(folder, name)).outputFiles.at(-1)!.text,
  };
}

describe('a loader that shows its first program only', () => {
  let printed: jest.SpiedFunction<typeof process.stderr.write>;

  beforeEach(() => {
    printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });

  afterEach(() => {
    printed.mockRestore();
    process.exitCode = undefined;
  });

  it('has the types of a tool whose own file has changed', () =>
    inFolder(FILES, (folder) => {
      const loader = load(FILES, folder);
      expect(loader.emit('finder.ts')).toContain('"name":"city"');
      loader.write('finder.ts', TOOLS.replaceAll('city', 'town'));
      expect(loader.emit('finder.ts')).toContain('"name":"town"');
    }));

  it('has the types of a tool when only the file of an interface has changed', () =>
    inFolder(FILES, (folder) => {
      const loader = load(FILES, folder);
      expect(loader.emit('finder.ts')).toContain('"limit":{"type":"number"}');
      loader.write('declared.ts', 'export interface Options { limit?: string }');
      expect(loader.emit('finder.ts')).toContain('"limit":{"type":"string"}');
    }));

  it('has the tools of a new file, and none of a file that is gone', () =>
    inFolder(FILES, (folder) => {
      const loader = load(FILES, folder);
      loader.write('other.ts', TOOLS.replace('Finder', 'Other'));
      expect(loader.emit('other.ts')).toContain('nestor.ClassTypes');
      loader.remove('other.ts');
      expect(loader.emit('finder.ts')).toContain('nestor.ClassTypes');
    }));

  it('prints an error when a type becomes one that no schema can describe, and once', () =>
    inFolder(FILES, (folder) => {
      const loader = load(FILES, folder);
      loader.emit('finder.ts');
      expect(printed).not.toHaveBeenCalled();
      loader.write('declared.ts', 'export interface Options { limit?: () => void }');
      loader.emit('finder.ts');
      loader.emit('declared.ts');
      expect(printed.mock.calls.map(String)).toEqual([expect.stringContaining('TS925001')]);
      loader.write('declared.ts', 'export interface Options { limit?: bigint; }');
      loader.emit('finder.ts');
      expect(printed).toHaveBeenCalledTimes(2);
    }));
});
