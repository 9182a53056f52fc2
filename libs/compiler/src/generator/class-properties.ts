import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import type { ProgramContext } from './any-reader.js';
import { exportNameOf } from './class-references.js';
import { declarationOf, instanceOf, isInProject } from './declarations.js';

/** The properties of a class with decorators that its types have to describe. */
export interface ClassProperties {
  readonly declaration: ts.ClassLikeDeclaration;
  readonly properties: readonly ts.Symbol[];
  /** The type that has the inherited ones, such as `Partial<Dto>`. */
  readonly owner: ts.Type;
  /** The superclass, if its own types describe the other properties. */
  readonly superclass: ts.ClassDeclaration | undefined;
}

/**
 * Finds the public properties of a class: its own, and the inherited ones that its superclass does not
 * describe. A superclass that is made by a call, such as `PartialType(Dto)`, that comes from a package,
 * or that has no decorators, describes none; a generic one describes those without type parameters.
 */
export function classPropertiesOf(context: ProgramContext, declaration: ts.ClassLikeDeclaration): ClassProperties {
  const { ts, checker } = context;
  const type = instanceOf(checker, declaration);
  const superclass = superclassOf(context, type);
  const described = superclass && instanceOf(checker, superclass);
  const isDescribed = (symbol: ts.Symbol): boolean => {
    const known = described && checker.getPropertyOfType(described, symbol.name);
    if (!known || known === symbol) return known === symbol;
    return (
      known.valueDeclaration === symbol.valueDeclaration &&
      checker.getTypeOfSymbol(known) === checker.getTypeOfSymbol(symbol)
    );
  };
  const properties = checker.getPropertiesOfType(type).filter((symbol) => isPublic(ts, symbol) && !isDescribed(symbol));
  return { declaration, properties, owner: baseOf(checker, type) ?? type, superclass };
}

function superclassOf(
  { ts, program, checker, decorated }: ProgramContext,
  type: ts.Type,
): ts.ClassDeclaration | undefined {
  const declaration = baseOf(checker, type)?.symbol?.valueDeclaration;
  if (!declaration || !ts.isClassDeclaration(declaration)) return undefined;
  if (!isInProject(program, declaration) || exportNameOf(ts, declaration) === undefined) return undefined;
  return decorated.has(declaration) ? declaration : undefined;
}

function baseOf(checker: ts.TypeChecker, type: ts.Type): ts.Type | undefined {
  return type.isClass() ? checker.getBaseTypes(type)[0] : undefined;
}

function isPublic(ts: TypeScript, symbol: ts.Symbol): boolean {
  // TypeScript makes names for symbols and for `#private`.
  if (/^__[@#]/.test(symbol.name)) return false;
  const declaration = declarationOf(symbol);
  if (!declaration) return true;
  if (!ts.isPropertyDeclaration(declaration) && !ts.isPropertySignature(declaration)) return false;
  return !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
}
