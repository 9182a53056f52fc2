import { expect } from '@jest/globals';
import type ts from 'typescript';
import { compileValidator, type JsonSchema, type MethodTypes } from '@nestor-ai/schema';
import { type ReadTypes, readTypes } from './read-types.js';

const IMPORT = `import { Tool, ToolContext, ToolParam } from '@nestor-ai/core';`;

/**
 * Reads a class `Tools`.
 *
 * @param members its members, from line 4 on if there are declarations of one line
 * @param declarations what stands before the class, from line 2 on
 */
export function readTool(members: string, declarations = '', options?: ts.CompilerOptions): ReadTypes {
  return readTypes(`${IMPORT}\n${declarations}\nexport class Tools {\n${members}\n}`, options);
}

/** What was read of a method of `Tools`. */
export function methodOf({ classes }: ReadTypes, name = 'm'): MethodTypes {
  const method = classes.get('Tools')?.types.methods?.[name];
  if (!method) throw new Error(`The generator returned nothing for ${name}().`);
  return method;
}

/** The schema of a parameter of this type, which must be without problems. */
export function schemaOf(type: string, declarations = '', options?: ts.CompilerOptions): JsonSchema {
  const read = readTool(`@Tool() m(value: ${type}): void {}`, declarations, options);
  expect(read.diagnostics).toEqual([]);
  return methodOf(read).parameters[0]?.schema ?? {};
}

/** The one problem of a parameter of this type, without its place. */
export function problemOf(type: string, declarations = '', options?: ts.CompilerOptions): string {
  const read = readTool(`@Tool() m(value: ${type}): void {}`, declarations, options);
  expect(read.diagnostics).toEqual([methodOf(read).parameters[0]?.error]);
  return String(read.diagnostics[0]).replace(/^tools\.ts:\d+: Parameter 'value' of Tools\.m\(\) /, '');
}

/** Whether a value is valid, as the library checks it. */
export function accepts(schema: JsonSchema, value: unknown): boolean {
  try {
    compileValidator(schema)(value);
    return true;
  } catch {
    return false;
  }
}

/** The schema of an object with these properties only. */
export function closed(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
