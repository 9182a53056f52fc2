import { join } from 'node:path';
import type ts from 'typescript';
import { diagnosticsOf, generatedProgramOf } from '../generated-program.js';
import type { PluginOptions } from '../plugin-options.js';
import { reportDiagnostics } from '../report-diagnostics.js';
import { loadTypeScript } from '../typescript.js';
import { createEntries, type FileEntry, importTexts } from './metadata-expressions.js';
import { metadataOf, type ProgramMetadata } from './program-metadata.js';

/** What the Nest CLI passes to a visitor, beside the options from `nest-cli.json`. */
export interface ReadonlyVisitorOptions extends PluginOptions {
  /** The folder of `metadata.ts`. */
  readonly pathToSource: string;
}

/**
 * With swc, the Nest CLI passes each file of a program to this visitor and writes what it collects
 * to `metadata.ts`. In watch mode, one visitor sees many programs.
 */
export class ReadonlyVisitor {
  readonly #file: string;
  #program: ts.Program | undefined;
  #metadata: ProgramMetadata | undefined;

  constructor({ pathToSource }: ReadonlyVisitorOptions) {
    this.#file = join(pathToSource, 'metadata.ts');
  }

  /** The key in `metadata.ts`. The Nest CLI sets it to the name of the plugin in `nest-cli.json`. */
  get key(): string {
    return '@nestor-ai/core';
  }

  set key(_name: string) {}

  /** The modules that `metadata.ts` imports before the others, as text. */
  get typeImports(): Record<string, string> {
    return this.#metadata ? importTexts(this.#metadata) : {};
  }

  visit(program: ts.Program, _file: ts.SourceFile): void {
    if (program === this.#program) return;
    this.#program = program;
    this.#metadata = undefined;
  }

  /** @returns one entry for each file with tools, or with classes that tools take */
  collect(): { tools: FileEntry[] } {
    const ts = loadTypeScript();
    if (!this.#metadata && this.#program) this.#metadata = this.#read(this.#program);
    return { tools: this.#metadata ? createEntries(ts, this.#metadata) : [] };
  }

  /** The Nest CLI ignores errors of visitors, so this prints them. */
  #read(program: ts.Program): ProgramMetadata {
    const ts = loadTypeScript();
    try {
      const metadata = metadataOf(ts, program, this.#file);
      reportDiagnostics(ts, [...diagnosticsOf(generatedProgramOf(ts, program)), ...metadata.diagnostics]);
      return metadata;
    } catch (error) {
      process.stderr.write(`Nestor cannot read the types of tools: ${String(error)}\n`);
      process.exitCode = 1;
      throw error;
    }
  }
}
