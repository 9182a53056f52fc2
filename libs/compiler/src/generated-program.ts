import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import type { GeneratedClass } from './generator/generated-class.js';
import { SchemaGenerator } from './generator/schema-generator.js';
import type { TypeScript } from './typescript.js';

/** What was read of the classes of a program, by file. */
export type GeneratedProgram = ReadonlyMap<ts.SourceFile, readonly GeneratedClass[]>;

const generatedPrograms = new WeakMap<ts.Program, GeneratedProgram>();

/** Reads the types of a program. Several hooks of a build share the result. */
export function generatedProgramOf(ts: TypeScript, program: ts.Program): GeneratedProgram {
  return remembered(generatedPrograms, program, () => new SchemaGenerator(ts, program).generate());
}

/** The types of all classes that no schema can describe. */
export const diagnosticsOf = (generated: GeneratedProgram): ts.DiagnosticWithLocation[] =>
  [...generated.values()].flatMap((classes) => classes.flatMap(({ diagnostics }) => diagnostics));
