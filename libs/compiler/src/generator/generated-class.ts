import type ts from 'typescript';
import type { ClassTypes } from '@nestor-ai/schema/format';

/** A class that others are made of: its instances are created at run time. */
export interface ReferencedClass {
  readonly declaration: ts.ClassDeclaration;
  /** The name under which its file exports it. `default` for a default export. */
  readonly exportName: string;
}

/** What was read of a class: one with tools, or one with decorators that a tool takes. */
export interface GeneratedClass {
  readonly declaration: ts.ClassLikeDeclaration;
  /** Undefined for a class without a name. */
  readonly name: string | undefined;
  /** The name under which its file exports it. Undefined if it does not. */
  readonly exportName: string | undefined;
  readonly types: ClassTypes;
  /** The tools of generic superclasses that were read with the type arguments of this class. */
  readonly inherited: readonly ts.MethodDeclaration[];
  /** The classes that `types` names by their index. */
  readonly classes: readonly ReferencedClass[];
  /** The superclass whose types describe the other properties of a class with decorators. */
  readonly superclass: ts.ClassDeclaration | undefined;
  /** The types that no schema can describe. */
  readonly diagnostics: readonly ts.DiagnosticWithLocation[];
}
