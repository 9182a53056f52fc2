import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** The files that an emit reads. The compiler's types leave out this part of a context. */
interface EmitHost {
  getSourceFiles(): readonly ts.SourceFile[];
  getSourceFile(fileName: string): ts.SourceFile | undefined;
  getCanonicalFileName(fileName: string): string;
  useCaseSensitiveFileNames(): boolean;
}

/**
 * The programs that ts-loader builds one after the other in watch mode. It only shows the first one
 * to plugins. Of each later one, its emit shows the files.
 */
export class LoaderPrograms {
  #program: ts.Program;
  #files: readonly ts.SourceFile[];

  constructor(
    private readonly ts: TypeScript,
    first: ts.Program,
  ) {
    this.#program = first;
    this.#files = first.getSourceFiles();
  }

  /** The program that is emitted, or one of the same files. */
  of(context: ts.TransformationContext): ts.Program {
    const host = (context as { getEmitHost?(): EmitHost }).getEmitHost?.();
    const files = host?.getSourceFiles() ?? this.#files;
    if (host && files !== this.#files) {
      this.#files = files;
      const known = new Set(this.#program.getSourceFiles());
      if (files.length !== known.size || files.some((file) => !known.has(file))) this.#program = this.#programOf(host);
    }
    return this.#program;
  }

  #programOf(emit: EmitHost): ts.Program {
    const options = this.#program.getCompilerOptions();
    const host = this.ts.createCompilerHost(options);
    const roots = new Set(this.#program.getRootFileNames().filter((name) => emit.getSourceFile(name)));
    for (const file of emit.getSourceFiles()) if (!file.isDeclarationFile) roots.add(file.fileName);
    // The compiler knows a file that has not changed by its object, and writes its path into it.
    const { getCanonicalFileName, useCaseSensitiveFileNames } = emit;
    const getSourceFile: typeof host.getSourceFile = (name, ...how) =>
      emit.getSourceFile(name) ?? host.getSourceFile(name, ...how);
    return this.ts.createProgram({
      rootNames: [...roots],
      options,
      host: { ...host, getSourceFile, getCanonicalFileName, useCaseSensitiveFileNames },
      oldProgram: this.#program,
    });
  }
}
