import type ts from 'typescript';
import type { BuildRecord } from './build-record.js';

/** The arguments that TypeScript's builders pass to `program.emit`. */
type EmitArguments = [
  file?: ts.SourceFile,
  writeFile?: ts.WriteFileCallback,
  cancellationToken?: ts.CancellationToken,
  emitOnly?: boolean,
  customTransformers?: ts.CustomTransformers,
  forceDtsEmit?: boolean,
  skipBuildInfo?: boolean,
];

/** A program as TypeScript's builders use it. */
export interface BuilderProgram extends ts.Program {
  emit(...args: EmitArguments): ts.EmitResult;
  /** The last step, which writes the tsbuildinfo file if there is one. */
  emitBuildInfo?(...args: unknown[]): ts.EmitResult;
}

/**
 * What this process has added to the output of files. TypeScript keeps the `SourceFile` of a file
 * that has not changed, from one program to the next.
 */
const emittedHashes = new WeakMap<ts.SourceFile, string>();

/** The hash of a file to which the plugin adds nothing. */
const NOTHING = '';

/**
 * A program whose emits are followed. A builder of TypeScript emits one affected file after the
 * other with `program.emit` and ends with `program.emitBuildInfo`. A file is not affected if only an
 * interface that its tools take has changed; this class emits it as well.
 */
export class FollowedProgram {
  readonly #transformed = new Set<ts.SourceFile>();
  readonly #recorded: ReadonlyMap<string, string> | undefined;
  #isReported = false;
  #isEmitting = false;

  constructor(
    readonly program: BuilderProgram,
    readonly hashes: ReadonlyMap<ts.SourceFile, string>,
    readonly diagnostics: readonly ts.Diagnostic[],
    readonly record: BuildRecord | undefined,
  ) {
    this.#recorded = record?.read();
  }

  /** Whether TypeScript would continue a build whose output is not known to the plugin. */
  get mustRebuild(): boolean {
    return this.record?.isContinued === true && !this.#recorded && !this.#isKnownToProcess();
  }

  /**
   * Must be called for each file that is emitted.
   *
   * @returns whether its errors must be printed, because the emit began before {@link follow}. The
   * compiler ignores errors that a transformer of JavaScript adds to its context.
   */
  onTransform(file: ts.SourceFile): boolean {
    this.#transformed.add(file);
    return !this.#isEmitting;
  }

  follow(): void {
    const { program } = this;
    const originalEmit = program.emit.bind(program);
    const emit = (...args: EmitArguments): ts.EmitResult => {
      this.#isEmitting = true;
      try {
        return originalEmit(...args);
      } finally {
        this.#isEmitting = false;
      }
    };
    const emitBuildInfo = program.emitBuildInfo?.bind(program);
    let last: EmitArguments | undefined;
    program.emit = (...args) => {
      const [file] = args;
      const result = emit(...args);
      if (file) last = args;
      return file ? result : this.#end(result);
    };
    program.emitBuildInfo = (...args) => {
      if (last) {
        const [, writeFile, cancellationToken, , customTransformers] = last;
        for (const file of this.#staleFiles())
          emit(file, writeFile, cancellationToken, undefined, customTransformers, undefined, true);
      }
      return this.#end(emitBuildInfo?.(...args) ?? { emitSkipped: true, diagnostics: [] });
    };
  }

  /**
   * Adds the errors of the plugin to the result of the last step, because TypeScript stores those of
   * single files and repeats them when they are outdated.
   */
  #end(result: ts.EmitResult): ts.EmitResult {
    const known = new Map(this.program.getSourceFiles().map((file) => [file, this.#knownHashOf(file)]));
    for (const [file, hash] of known) emittedHashes.set(file, this.#transformed.has(file) ? this.#hashOf(file) : hash);
    if (this.diagnostics.length > 0) this.record?.delete();
    else this.#writeRecord();
    if (this.#isReported) return result;
    this.#isReported = true;
    return { ...result, diagnostics: [...result.diagnostics, ...this.diagnostics] };
  }

  #staleFiles(): ts.SourceFile[] {
    return this.program
      .getSourceFiles()
      .filter((file) => !file.isDeclarationFile && !this.#transformed.has(file))
      .filter((file) => this.#knownHashOf(file) !== this.#hashOf(file));
  }

  #writeRecord(): void {
    const { record } = this;
    if (!record) return;
    const files = this.program.getSourceFiles().flatMap((file): [string, string][] => {
      const hash = emittedHashes.get(file);
      return hash ? [[record.nameOf(file), hash]] : [];
    });
    record.write(new Map(files));
  }

  #hashOf(file: ts.SourceFile): string {
    return this.hashes.get(file) ?? NOTHING;
  }

  #knownHashOf(file: ts.SourceFile): string {
    return emittedHashes.get(file) ?? this.#recorded?.get(this.record?.nameOf(file) ?? '') ?? NOTHING;
  }

  #isKnownToProcess(): boolean {
    return this.program.getSourceFiles().some((file) => emittedHashes.has(file));
  }
}
