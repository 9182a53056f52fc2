import { relative } from 'node:path';
import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** A program that is read. */
export interface Project {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The project's folder, to which the paths of sources are relative. */
  readonly folder: string;
}

/** The path of a source in messages and metadata. */
export function pathOf(folder: string, { fileName }: ts.SourceFile): string {
  return relative(folder, fileName).replaceAll('\\', '/');
}

/** Where a symbol is declared. */
export function declarationOf({ valueDeclaration, declarations = [] }: ts.Symbol): ts.Declaration | undefined {
  return valueDeclaration ?? declarations[0];
}

/** Whether a node is in the source code of the project, and not in that of a package. */
export function isInProject(program: ts.Program, node: ts.Node): boolean {
  const file = node.getSourceFile();
  return !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file);
}

/** Where a class names its superclass. */
export function extendedBy(
  ts: TypeScript,
  { heritageClauses }: ts.ClassLikeDeclaration,
): ts.ExpressionWithTypeArguments | undefined {
  return heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
}

/** The type of the instances of a class, with the type parameters as they are declared. */
export function instanceOf(checker: ts.TypeChecker, declaration: ts.ClassLikeDeclaration): ts.Type {
  return checker.getDeclaredTypeOfSymbol(checker.getTypeAtLocation(declaration).symbol);
}

export function isStatic(ts: TypeScript, member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
}

/** Whether a class has no instances of its own. */
export function isAbstract(ts: TypeScript, declaration: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0;
}
