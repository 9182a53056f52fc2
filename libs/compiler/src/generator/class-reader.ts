import type ts from 'typescript';
import { CLASS_TYPES_VERSION, type ClassTypes, type MethodTypes, type PropertyTypes } from '@nestor-ai/schema/format';
import { type ClassProperties, classPropertiesOf } from './class-properties.js';
import { classOf, ClassReferences, exportNameOf } from './class-references.js';
import { declarationOf, isStatic } from './declarations.js';
import { Diagnostics } from './diagnostics.js';
import type { ToolMethodDeclaration } from './find-tools.js';
import type { GeneratedClass } from './generated-class.js';
import type { InheritedTool } from './inherited-tools.js';
import { MethodReader } from './method-reader.js';
import { allowsUndefined } from './literals.js';
import { TypeReader } from './type-reader.js';
import type { ProgramContext, ReaderContext } from './any-reader.js';
import { UnsayableType } from './unsayable.js';

/** Reads a class with tools, or a class with decorators that tools take. */
export class ClassReader {
  constructor(private readonly context: ProgramContext) {}

  /** @returns undefined if there is nothing to say of the class */
  read(declaration: ts.ClassLikeDeclaration): GeneratedClass | undefined {
    const { ts, finder, sources, decorated } = this.context;
    const own = finder.methodsOf(declaration);
    const inherited = this.context.inherited.of(declaration);
    const tools: readonly (ToolMethodDeclaration | InheritedTool)[] = [...own, ...inherited];
    // A class with tools is no input.
    const isInput = tools.length === 0 && decorated.has(declaration);
    const input = isInput ? classPropertiesOf(this.context, declaration) : undefined;
    const { properties = [], superclass } = input ?? {};
    if (tools.length + properties.length === 0 && !superclass) return undefined;
    const classes = new ClassReferences(this.context);
    const diagnostics = new Diagnostics(this.context);
    const reportTag = (problem: string, node: ts.Node | undefined): void =>
      void diagnostics.add(problem, node ?? declaration);
    const context: ReaderContext = { ...this.context, classes, reportTag };
    const methods = new MethodReader(context, diagnostics);
    const className = declaration.name?.text ?? 'a class without a name';
    const readAll = (areStatic: boolean): Readonly<Record<string, MethodTypes>> | undefined => {
      const of = tools.filter(({ method }) => isStatic(ts, method) === areStatic);
      if (of.length === 0) return undefined;
      return Object.fromEntries(
        of.map(
          (tool) => [tool.method.name.text, methods.read(tool, `${className}.${tool.method.name.text}()`)] as const,
        ),
      );
    };
    const ofInstances = readAll(false);
    const statics = readAll(true);
    const reader = new TypeReader(context);
    const ofProperties = properties.map(
      (property) => [property.name, this.#property(property, input!, reader)] as const,
    );
    const types: ClassTypes = {
      version: CLASS_TYPES_VERSION,
      ...(ofInstances && { methods: ofInstances }),
      ...(statics && { statics }),
      ...(ofProperties.length > 0 && { properties: Object.fromEntries(ofProperties) }),
      sources: sources.of(declaration, [...tools.flatMap(partsOf), ...this.#partsOf(properties, declaration)]),
    };
    return {
      declaration,
      name: declaration.name?.text,
      exportName: exportNameOf(ts, declaration),
      types,
      inherited: inherited.filter(({ signature }) => signature).map(({ method }) => method),
      classes: classes.list,
      superclass,
      diagnostics: diagnostics.list,
    };
  }

  /** The parts of a class that the types of its properties come from. */
  #partsOf(properties: readonly ts.Symbol[], declaration: ts.ClassLikeDeclaration): readonly ts.Node[] {
    const own = properties.map(declarationOf).filter((one) => one?.parent === declaration) as ts.Declaration[];
    return own.length === properties.length ? own : [...own, ...(declaration.heritageClauses ?? [])];
  }

  /** Decorators may describe what types cannot, so a type that no schema describes is left out. */
  #property(symbol: ts.Symbol, of: ClassProperties, reader: TypeReader): PropertyTypes {
    const { ts, checker, comments } = this.context;
    const type = checker.getTypeOfSymbol(symbol);
    const comment = comments.ofProperty(symbol, type, of.owner);
    const paramOf = this.#paramOf(symbol, of, reader.context);
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || allowsUndefined(ts, type);
    const facts = {
      ...(comment.description && { description: comment.description }),
      ...(isOptional && ({ isOptional } as const)),
      ...(paramOf !== undefined && { paramOf }),
    };
    try {
      const read = reader.read(type, this.#nodeOf(symbol, type));
      const written = reader.shared.write(reader.commented(read, comment, declarationOf(symbol)));
      // Also that of an alias or an enum.
      const whole = written.schema?.['description'];
      return { ...facts, ...(typeof whole === 'string' && { description: whole }), ...written };
    } catch (error) {
      if (error instanceof UnsayableType) return facts;
      throw error;
    }
  }

  /** The class whose `@ToolParam()` describes a property that comes from a mapped type. */
  #paramOf(symbol: ts.Symbol, of: ClassProperties, { classes }: ReaderContext): number | undefined {
    const { ts, finder } = this.context;
    const property = declarationOf(symbol);
    if (!property || !ts.isPropertyDeclaration(property) || !ts.isClassDeclaration(property.parent)) return undefined;
    // Decorators of the class itself and of a superclass are there at run time.
    if (property.parent === of.declaration || classOf(ts, of.owner) || !finder.hasParam(property)) return undefined;
    return classes?.indexOf(property.parent);
  }

  /** Where the type of a property is written. A mapped type may have another one. */
  #nodeOf(symbol: ts.Symbol, type: ts.Type): ts.TypeNode | undefined {
    const { checker } = this.context;
    const declaration = declarationOf(symbol);
    if (!declaration || !('type' in declaration)) return undefined;
    const written = checker.getNonNullableType(checker.getTypeAtLocation(declaration));
    return written === checker.getNonNullableType(type) ? (declaration.type as ts.TypeNode | undefined) : undefined;
  }
}

/** The parts of a method that its types come from. */
function partsOf(tool: ToolMethodDeclaration | InheritedTool): readonly ts.Node[] {
  const { method } = tool;
  const superclass = 'extended' in tool ? [tool.extended] : [];
  return [...method.parameters, ...(method.type ? [method.type] : []), ...superclass];
}
