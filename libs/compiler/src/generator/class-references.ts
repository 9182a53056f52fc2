import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { isInProject, type Project } from './declarations.js';
import type { ReferencedClass } from './generated-class.js';

/** The classes that the types of a class name, by their index. */
export class ClassReferences {
  readonly #classes: ReferencedClass[] = [];

  constructor(private readonly project: Project) {}

  get list(): readonly ReferencedClass[] {
    return this.#classes;
  }

  /** @returns the index of a class. Undefined if no other file can import it */
  indexOf(declaration: ts.ClassDeclaration): number | undefined {
    const known = this.#classes.findIndex((one) => one.declaration === declaration);
    if (known >= 0) return known;
    const exportName = exportNameOf(this.project.ts, declaration);
    if (exportName === undefined || !isInProject(this.project.program, declaration)) return undefined;
    return this.#classes.push({ declaration, exportName }) - 1;
  }
}

/** The name under which a file exports a class. Undefined if it does not. */
export function exportNameOf(ts: TypeScript, declaration: ts.ClassLikeDeclaration): string | undefined {
  if (!ts.isClassDeclaration(declaration) || !ts.isSourceFile(declaration.parent)) return undefined;
  const flags = ts.getCombinedModifierFlags(declaration);
  if (flags & ts.ModifierFlags.Default) return 'default';
  const name = declaration.name?.text;
  if (name === undefined || flags & ts.ModifierFlags.Export) return name;
  return exportedAs(ts, declaration.parent, name);
}

/** The name in `export { Name }` or `export { Name as Other }`. */
function exportedAs(ts: TypeScript, file: ts.SourceFile, name: string): string | undefined {
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && !statement.isExportEquals && ts.isIdentifier(statement.expression)) {
      if (statement.expression.text === name) return 'default';
    }
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || statement.isTypeOnly) continue;
    if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
    const found = statement.exportClause.elements.find((one) => (one.propertyName ?? one.name).text === name);
    if (found && !found.isTypeOnly) return found.name.text;
  }
  return undefined;
}

/** The declaration of a class, also for `Page<Item>` of a generic class. */
export function classOf(ts: TypeScript, type: ts.Type): ts.ClassDeclaration | undefined {
  const { target = type } = type as Partial<ts.TypeReference>;
  const declaration = (target.symbol as ts.Symbol | undefined)?.valueDeclaration;
  return declaration && target.isClass() && ts.isClassDeclaration(declaration) ? declaration : undefined;
}

/** Whether a class comes from a compiled package. Its declaration file does not show its decorators. */
export function isCompiled(program: ts.Program, declaration: ts.ClassDeclaration): boolean {
  const file = declaration.getSourceFile();
  if (!file.isDeclarationFile || program.isSourceFileDefaultLibrary(file)) return false;
  return !/[\\/]@types[\\/]node[\\/]/.test(file.fileName);
}
