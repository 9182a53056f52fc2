import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { SchemaGenerator } from '../../libs/compiler/src/generator/schema-generator.js';
import type { GeneratedClass } from '../../libs/compiler/src/generator/generated-class.js';
import type { ValueTypes } from '@nestor-ai/schema';

/** The folder of the virtual sources. It does not exist, but packages resolve from it. */
export const VIRTUAL = join(import.meta.dirname, 'virtual');

const CORE = join(VIRTUAL, 'node_modules/@nestor-ai/core');

/** The part of the package that types depend on: programs with it are created in milliseconds. */
const STUB: Readonly<Record<string, string>> = {
  [join(CORE, 'package.json')]: '{ "name": "@nestor-ai/core", "version": "0.1.0", "types": "./index.d.ts" }',
  [join(CORE, 'index.d.ts')]: `
    export interface ToolOptions { name?: string; description?: string; inputSchema?: unknown; inputType?: unknown }
    export interface ToolParamOptions { name?: string; description?: string; required?: boolean; schema?: object }
    export declare function Tool(options?: ToolOptions): MethodDecorator;
    export declare function ToolParam(options?: ToolParamOptions): ParameterDecorator & PropertyDecorator;
    export declare class ToolContext<Values extends object = Record<string, unknown>, Request = unknown> {
      readonly context: Readonly<Values>;
      readonly request: Request;
      readonly signal: AbortSignal;
      reportProgress(value: unknown): void;
    }
  `,
};

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Files that exist on the disk are parsed once for all programs. */
const parsed = new Map<string, ts.SourceFile>();

/** What the generator says of sources. */
export interface ReadTypes {
  readonly program: ts.Program;
  /** All classes, by their names. */
  readonly classes: ReadonlyMap<string, GeneratedClass>;
  /** All diagnostics of the generator: `tools.ts:3: message`. */
  readonly diagnostics: readonly string[];
}

/**
 * Reads the types of virtual sources.
 *
 * @param sources the text of `tools.ts`, or the texts of files by their names
 * @param options compiler options. By default there are neither DOM nor Node types: `types: ['node']`
 */
export function readTypes(sources: string | Readonly<Record<string, string>>, options?: ts.CompilerOptions): ReadTypes {
  const program = programOf(sources, options);
  const generated = [...new SchemaGenerator(ts, program, VIRTUAL).generate().values()].flat();
  const diagnostics = generated.flatMap(({ diagnostics }) => diagnostics);
  return {
    program,
    classes: new Map(generated.map((one) => [one.name ?? 'default', one])),
    diagnostics: diagnostics.map(located),
  };
}

/** What the generator says of the types that a module exports, by their names. */
export function readExportedTypes(
  names: readonly string[],
  source: string | Readonly<Record<string, string>>,
  module = './types.js',
  options?: ts.CompilerOptions,
): ReadonlyMap<string, ValueTypes> {
  const files = typeof source === 'string' ? { 'types.ts': source } : source;
  const methods = names.map((name) => `@Tool() ${name}(value: types.${name}): void {}`);
  const tools = `
    import { Tool } from '@nestor-ai/core';
    import type * as types from '${module}';
    export class Tools { ${methods.join('\n')} }
  `;
  const read = readTypes({ ...files, 'tools.ts': tools }, options).classes.get('Tools');
  return new Map(
    names.map((name) => {
      const value = read?.types.methods?.[name]?.parameters[0];
      if (!value) throw new Error(`The generator returned nothing for ${name}.`);
      return [name, value];
    }),
  );
}

/** A program of virtual sources, without running the generator. */
export function programOf(
  sources: string | Readonly<Record<string, string>>,
  options: ts.CompilerOptions = {},
): ts.Program {
  const named = typeof sources === 'string' ? { 'tools.ts': sources } : sources;
  const files = new Map(Object.entries(named).map(([name, text]) => [join(VIRTUAL, name), text]));
  const roots = [...files.keys()].filter((name) => /\.[cm]?tsx?$/.test(name) && !name.includes('node_modules'));
  for (const [name, text] of Object.entries(STUB)) files.set(name, text);
  const all = { ...OPTIONS, ...options };
  return ts.createProgram(roots, all, hostOf(files, all));
}

/** Where a diagnostic is, and what it says: `tools.ts:3: message`. */
export function located({ file, start, messageText }: ts.DiagnosticWithLocation): string {
  const { line } = file.getLineAndCharacterOfPosition(start);
  const path = file.fileName.startsWith(VIRTUAL) ? file.fileName.slice(VIRTUAL.length + 1) : file.fileName;
  return `${path}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

function hostOf(files: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].flatMap(foldersOf));
  const readFile = (name: string): string | undefined => files.get(name) ?? readIfExists(name);
  return {
    ...host,
    getCurrentDirectory: () => VIRTUAL,
    fileExists: (name) => files.has(name) || existsOnDisk(name),
    readFile,
    directoryExists: (name) => folders.has(name) || existsOnDisk(name),
    realpath: (name) => (files.has(name) ? name : (host.realpath?.(name) ?? name)),
    getSourceFile(name, version) {
      const text = files.get(name);
      const known = text === undefined ? parsed.get(keyOf(name, version)) : undefined;
      if (known) return known;
      const content = readFile(name);
      if (content === undefined) return undefined;
      const file = withVersion(ts.createSourceFile(name, content, version, true));
      if (text === undefined) parsed.set(keyOf(name, version), file);
      return file;
    },
  };
}

const disk = new Map<string, boolean>();

function existsOnDisk(name: string): boolean {
  let exists = disk.get(name);
  if (exists === undefined) disk.set(name, (exists = existsSync(name)));
  return exists;
}

function readIfExists(name: string): string | undefined {
  return existsOnDisk(name) ? readFileSync(name, 'utf8') : undefined;
}

function keyOf(name: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions): string {
  return `${name} ${JSON.stringify(version)}`;
}

/** As the hosts of builders do, which the hashes of files may use. */
function withVersion(file: ts.SourceFile): ts.SourceFile {
  return Object.assign(file, { version: createHash('sha256').update(file.text).digest('hex') });
}

/** All folders above a file. */
function foldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
