import ts from 'typescript';
import type { ClassTypes, MethodTypes } from '@nestor-ai/schema/format';
import type { GeneratedClass } from './generated-class.js';
import { SchemaGenerator } from './schema-generator.js';

const FOLDER = '/app';
export const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  experimentalDecorators: true,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
};

/** The declarations of the packages that tools import. */
const PACKAGES: Readonly<Record<string, string>> = {
  '/app/node_modules/@nestor-ai/core/index.d.ts': `
    export interface ToolOptions { name?: string; description?: string; inputSchema?: object; inputType?: Function; outputSchema?: object; outputType?: Function }
    export function Tool(options?: ToolOptions): MethodDecorator;
    export { ToolParam } from '@nestor-ai/schema';
    export class ToolContext { get(key: string): unknown }
    export interface ToolResult { text: string }`,
  '/app/node_modules/@nestor-ai/schema/index.d.ts': `
    export function ToolParam(options?: { name?: string; type?: unknown; schema?: object; description?: string }): any;`,
  '/app/node_modules/class-validator/index.d.ts': `
    export function IsString(): PropertyDecorator; export function IsOptional(): PropertyDecorator;`,
  '/app/node_modules/@nestjs/common/index.d.ts': 'export function Injectable(): ClassDecorator;',
  '/app/node_modules/rxjs/index.d.ts': 'export class Observable<T> { subscribe(next: (value: T) => void): void }',
};

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Reads source files of an application: `{ 'finder.ts': 'class Finder { … }' }`. */
export function generate(files: Readonly<Record<string, string>>): readonly GeneratedClass[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text]));
  const host = ts.createCompilerHost(OPTIONS);
  const textOf = (name: string): string | undefined => texts.get(name) ?? PACKAGES[name];
  const read = host.getSourceFile.bind(host);
  const program = ts.createProgram([...texts.keys()], OPTIONS, {
    ...host,
    getCurrentDirectory: () => FOLDER,
    fileExists: (name) => textOf(name) !== undefined || ts.sys.fileExists(name),
    readFile: (name) => textOf(name) ?? ts.sys.readFile(name),
    directoryExists: () => true,
    realpath: (name) => name,
    getSourceFile: (name, version) => {
      const text = textOf(name);
      if (text !== undefined) return ts.createSourceFile(name, text, version, true);
      if (!parsed.has(name)) parsed.set(name, read(name, version));
      return parsed.get(name);
    },
  });
  return [...new SchemaGenerator(ts, program, FOLDER).generate().values()].flat();
}

const IMPORTS = `import { Tool, ToolContext, ToolParam, type ToolResult } from '@nestor-ai/core';
import { IsOptional, IsString } from 'class-validator';
import { Observable } from 'rxjs';`;

/** Reads a class `Finder` with these members. @param declarations the types that it uses */
export function readFinder(members: string, declarations = ''): GeneratedClass {
  const text = `${IMPORTS}\n${declarations}\nexport class Finder {\n${members}\n}\n`;
  return generate({ 'finder.ts': text }).find(({ name }) => name === 'Finder')!;
}

/** Reads a method `@Tool() find(…)` of a class `Finder`. */
export function readMethod(parameters: string, declarations = '', result = ': void'): MethodTypes {
  const { types } = readFinder(`@Tool() find(${parameters})${result} { return null as never; }`, declarations);
  return types.methods!['find']!;
}

/** What was read of a type, or the error. */
export function readType(type: string, declarations = ''): ReadType {
  const { schema, revive, revives, error } = readMethod(`value: ${type}`, declarations).parameters[0]!;
  return { ...(schema && { schema }), ...(revive && { revive }), ...(revives && { revives }), ...(error && { error }) };
}

type ReadType = Pick<MethodTypes['parameters'][number], 'schema' | 'revive' | 'revives' | 'error'>;

export type { ClassTypes };
