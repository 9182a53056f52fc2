import type ts from 'typescript';
import {
  CLASS_TYPES_VERSION,
  type ClassTypes,
  type MethodTypes,
  type PropertyTypes,
} from '../../tool/typed/class-types.js';
import type { TypeScript } from '../typescript.js';
import { ClassReferences, exportNameOf, isDecorated } from './class-references.js';
import type { Comments } from './comments.js';
import { Diagnostics } from './diagnostics.js';
import type { ToolFinder, ToolMethodDeclaration } from './find-tools.js';
import type { GeneratedClass } from './generated-class.js';
import type { InheritedTool, InheritedTools } from './inherited-tools.js';
import { MethodReader } from './method-reader.js';
import { recordOf } from './read-value.js';
import type { Sources } from './sources.js';
import { type ReaderContext, TypeReader } from './type-reader.js';
import { UnsayableType } from './unsayable.js';

/** What the readers of all classes of a program share. */
export interface ProgramContext {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly folder: string;
  readonly finder: ToolFinder;
  readonly inherited: InheritedTools;
  readonly sources: Sources;
  readonly comments: Comments;
}

/** Reads a class with tools, or a class with decorators that tools take. */
export class ClassReader {
  constructor(private readonly context: ProgramContext) {}

  /** @returns undefined if there is nothing to say of the class */
  read(declaration: ts.ClassLikeDeclaration): GeneratedClass | undefined {
    const { ts, program, checker, folder, finder, sources, comments } = this.context;
    const own = finder.methodsOf(declaration);
    const inherited = this.context.inherited.of(declaration);
    const tools: readonly (ToolMethodDeclaration | InheritedTool)[] = [...own, ...inherited];
    const properties = isDecorated(ts, checker, declaration) ? this.#propertiesOf(declaration) : [];
    if (tools.length + properties.length === 0) return undefined;
    const classes = new ClassReferences(ts, program);
    const diagnostics = new Diagnostics(ts, program, folder);
    const reportTag = (problem: string, node: ts.Node | undefined): void =>
      void diagnostics.add(problem, node ?? declaration);
    const context: ReaderContext = { ts, program, checker, comments, classes, reportTag };
    const methods = new MethodReader(context, finder, diagnostics);
    const className = declaration.name?.text ?? 'a class without a name';
    const readAll = (isStatic: boolean): Readonly<Record<string, MethodTypes>> | undefined => {
      const of = tools.filter(({ method }) => this.#isStatic(method) === isStatic);
      if (of.length === 0) return undefined;
      return recordOf(
        of.map(
          (tool) => [tool.method.name.text, methods.read(tool, `${className}.${tool.method.name.text}()`)] as const,
        ),
      );
    };
    const ofInstances = readAll(false);
    const statics = readAll(true);
    const ofProperties = properties.map((property) => [property.name.text, this.#property(property, context)] as const);
    const types: ClassTypes = {
      version: CLASS_TYPES_VERSION,
      ...(ofInstances && { methods: ofInstances }),
      ...(statics && { statics }),
      ...(ofProperties.length > 0 && { properties: recordOf(ofProperties) }),
      sources: sources.of(declaration, [...tools.flatMap(partsOf), ...properties]),
    };
    return {
      declaration,
      name: declaration.name?.text,
      exportName: exportNameOf(ts, declaration),
      types,
      inherited: inherited.map(({ method }) => method),
      classes: classes.list,
      diagnostics: diagnostics.list,
    };
  }

  #isStatic(member: ts.ClassElement): boolean {
    const { ts } = this.context;
    return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
  }

  #propertiesOf(declaration: ts.ClassLikeDeclaration): readonly NamedProperty[] {
    const { ts } = this.context;
    const { Static, Private, Protected } = ts.ModifierFlags;
    return declaration.members.filter(
      (member): member is NamedProperty =>
        ts.isPropertyDeclaration(member) &&
        (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name)) &&
        !(ts.getCombinedModifierFlags(member) & (Static | Private | Protected)),
    );
  }

  /** Decorators may describe what types cannot, so a type that no schema describes is left out. */
  #property(property: NamedProperty, context: ReaderContext): PropertyTypes {
    const { checker, comments } = this.context;
    const comment = comments.ofSymbol(checker.getSymbolAtLocation(property.name)!);
    const description = comment.description && { description: comment.description };
    const reader = new TypeReader(context);
    try {
      const read = reader.read(checker.getTypeAtLocation(property), property.type);
      return { ...description, ...reader.shared.write(reader.commented(read, comment, property)) };
    } catch (error) {
      if (error instanceof UnsayableType) return { ...description };
      throw error;
    }
  }
}

type NamedProperty = ts.PropertyDeclaration & { readonly name: ts.Identifier | ts.StringLiteral };

/** The parts of a method that its types come from. */
function partsOf(tool: ToolMethodDeclaration | InheritedTool): readonly ts.Node[] {
  const { method } = tool;
  const superclass = 'extended' in tool ? [tool.extended] : [];
  return [...method.parameters, ...(method.type ? [method.type] : []), ...superclass];
}
