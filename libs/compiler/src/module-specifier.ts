import { dirname, posix, resolve } from 'node:path';
import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import { isInProject } from './generator/declarations.js';
import type { TypeScript } from './typescript.js';

/** The programs whose files import each other with extensions, and those whose files do not. */
const withExtensions = new WeakMap<ts.Program, boolean>();

/** Makes the specifiers with which a file imports other files of its program. */
export class ModuleSpecifiers {
  readonly #folder: string;
  readonly #isEsm: boolean;
  /** Whether the compiler writes the file as CommonJS. */
  readonly isCommonJs: boolean;

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
    this.isCommonJs = (format ?? program.getCompilerOptions().module) === ts.ModuleKind.CommonJS;
  }

  /**
   * Relative, without the aliases of `paths`. ES modules of Node.js need the extension of the output.
   * CommonJS has none, because bundlers and test runners look for the source. Where the compiler does
   * not know who loads the modules, they are written as the application writes its own imports.
   */
  of(target: ts.SourceFile): string {
    const path = posix.relative(this.#folder, toPosix(target.fileName));
    const specifier = path.replace(/\.([cm]?)[jt]s(x?)$/, (_all, kind: string, jsx: string) =>
      kind || this.#needsExtension() ? `.${kind}js${jsx && this.#keepsJsx() ? 'x' : ''}` : '',
    );
    return specifier.startsWith('.') ? specifier : `./${specifier}`;
  }

  #needsExtension(): boolean {
    const { ts, program } = this;
    const { rewriteRelativeImportExtensions } = program.getCompilerOptions();
    if (this.#isEsm || rewriteRelativeImportExtensions === true) return true;
    if (this.isCommonJs) return false;
    return remembered(withExtensions, program, () => importsWithExtensions(ts, program));
  }

  #keepsJsx(): boolean {
    return this.program.getCompilerOptions().jsx === this.ts.JsxEmit.Preserve;
  }
}

/** Whether a file of the application imports another one with the extension of the output. */
function importsWithExtensions(ts: TypeScript, program: ts.Program): boolean {
  const checker = program.getTypeChecker();
  const isImport = (node: ts.Node): boolean => {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
    if (!/^\.{1,2}\/.*\.[cm]?js$/.test(node.moduleSpecifier.text)) return false;
    // It may be a file of JavaScript.
    const file = checker.getSymbolAtLocation(node.moduleSpecifier)?.valueDeclaration?.getSourceFile();
    return file !== undefined && /(?<!\.d)\.[cm]?tsx?$/.test(file.fileName);
  };
  return program.getSourceFiles().some((file) => isInProject(program, file) && file.statements.some(isImport));
}

const toPosix = (path: string): string => path.replaceAll('\\', '/');
