import { dirname, posix, resolve } from 'node:path';
import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** Makes the specifiers with which a file imports other files of its program. */
export class ModuleSpecifiers {
  readonly #folder: string;
  readonly #isEsm: boolean;

  /** @param fileName of the file that imports the others, which may not exist yet */
  constructor(
    readonly ts: TypeScript,
    readonly program: ts.Program,
    fileName: string,
  ) {
    const path = resolve(program.getCurrentDirectory(), fileName);
    this.#folder = toPosix(dirname(path));
    const known = program.getSourceFile(fileName);
    const format = known
      ? known.impliedNodeFormat
      : ts.getImpliedNodeFormatForFile(path, undefined, ts.sys, program.getCompilerOptions());
    this.#isEsm = format === ts.ModuleKind.ESNext;
  }

  /**
   * Relative, without the aliases of `paths`. ES modules of Node.js need the extension of the output.
   * Other modules have none, because bundlers and test runners look for the source.
   */
  of(target: ts.SourceFile): string {
    const path = posix.relative(this.#folder, toPosix(target.fileName));
    const specifier = path.replace(/\.([cm]?)[jt]s(x?)$/, (_all, kind: string, jsx: string) =>
      kind || this.#needsExtension() ? `.${kind}js${jsx && this.#keepsJsx() ? 'x' : ''}` : '',
    );
    return specifier.startsWith('.') ? specifier : `./${specifier}`;
  }

  #needsExtension(): boolean {
    return this.#isEsm || this.program.getCompilerOptions().rewriteRelativeImportExtensions === true;
  }

  #keepsJsx(): boolean {
    return this.program.getCompilerOptions().jsx === this.ts.JsxEmit.Preserve;
  }
}

const toPosix = (path: string): string => path.replaceAll('\\', '/');
