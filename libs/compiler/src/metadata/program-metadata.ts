import type ts from 'typescript';
import { type ClassTypes, remembered } from '@nestor-ai/schema/format';
import type { GeneratedClass } from '../generator/generated-class.js';
import { generatedProgramOf } from '../generated-program.js';
import { ModuleSpecifiers } from '../module-specifier.js';
import type { TypeScript } from '../typescript.js';

/** A class in `metadata.ts`. */
export interface ClassMetadata {
  readonly types: ClassTypes;
  /** The classes that `types` names by their index. */
  readonly classes: readonly { readonly specifier: string; readonly exportName: string }[];
}

/** What `metadata.ts` says of a program. */
export interface ProgramMetadata {
  /** By the specifier of the file, then by the name under which it exports the class. */
  readonly files: ReadonlyMap<string, ReadonlyMap<string, ClassMetadata>>;
  /** The modules of the classes that others name. */
  readonly imports: readonly string[];
  /** Whether the compiler writes `metadata.ts` as CommonJS. */
  readonly isCommonJs: boolean;
  /** Classes that `metadata.ts` cannot import. */
  readonly diagnostics: readonly ts.Diagnostic[];
}

/** Collects what `metadata.ts` says of a program. @param fileName the path of `metadata.ts` */
export function metadataOf(ts: TypeScript, program: ts.Program, fileName: string): ProgramMetadata {
  const specifiers = new ModuleSpecifiers(ts, program, fileName);
  const files = new Map<string, Map<string, ClassMetadata>>();
  const imports = new Set<string>();
  const diagnostics: ts.Diagnostic[] = [];
  for (const [file, classes] of generatedProgramOf(ts, program)) {
    for (const generated of classes) {
      if (generated.exportName === undefined) {
        diagnostics.push(notExported(ts, generated));
        continue;
      }
      const references = generated.classes.map(({ declaration, exportName }) => ({
        specifier: specifiers.of(declaration.getSourceFile()),
        exportName,
      }));
      for (const { specifier } of references) imports.add(specifier);
      const specifier = specifiers.of(file);
      const known = remembered(files, specifier, () => new Map<string, ClassMetadata>());
      known.set(generated.exportName, { types: generated.types, classes: references });
    }
  }
  return { files: sorted(files), imports: [...imports].sort(), isCommonJs: specifiers.isCommonJs, diagnostics };
}

/** The order does not depend on the order in which the compiler reads files. */
const sorted = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

function notExported(ts: TypeScript, { declaration, name }: GeneratedClass): ts.Diagnostic {
  const node = declaration.name ?? declaration;
  const file = declaration.getSourceFile();
  return {
    category: ts.DiagnosticCategory.Warning,
    code: 925_002,
    source: 'nestor',
    file,
    start: node.getStart(file),
    length: node.getWidth(file),
    messageText: `${name ?? 'A class'} has tools, but metadata.ts cannot import it. Export it at the top level of its file.`,
  };
}
