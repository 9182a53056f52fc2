import type ts from 'typescript';
import type { JsonSchema, MethodTypes, ParameterTypes, ValueTypes } from '@nestor-ai/schema/format';
import { classOf, isCompiled } from './class-references.js';
import { NO_COMMENT, type ValueComment } from './comments.js';
import { isAbstract } from './declarations.js';
import type { Diagnostics } from './diagnostics.js';
import type { ToolMethodDeclaration } from './find-tools.js';
import type { InheritedTool } from './inherited-tools.js';
import { allowsUndefined, initialValue } from './literals.js';
import { jsonOf } from './own-json.js';
import { withMember } from './read-member.js';
import type { ReadValue } from './read-value.js';
import { TypeReader } from './type-reader.js';
import type { ReaderContext } from './any-reader.js';
import { UnsayableType } from './unsayable.js';

/** Reads the parameters and the result of a `@Tool()` method. */
export class MethodReader {
  // The methods of a class often take the same types, which are read once.
  readonly #inputs: TypeReader;
  readonly #outputs: TypeReader;

  constructor(
    private readonly context: ReaderContext,
    private readonly diagnostics: Diagnostics,
  ) {
    this.#inputs = new TypeReader(context);
    this.#outputs = new TypeReader({ ...context, classes: undefined, reportTag: () => undefined });
  }

  /** @param place the class and method, for messages */
  read(tool: ToolMethodDeclaration | InheritedTool, place: string): MethodTypes {
    const { method } = tool;
    const { ts, comments } = this.context;
    const overridden = 'overridden' in tool ? tool.overridden : undefined;
    const description = comments.ofMethod(method) ?? (overridden && comments.ofMethod(overridden));
    const values = method.parameters.filter(({ name }) => !ts.isIdentifier(name) || name.text !== 'this');
    const result = this.#resultOf(tool);
    const output = result && !tool.isOutputDeclared ? this.#output(result) : undefined;
    return {
      ...(description && { description }),
      parameters: values.map((parameter) => this.#parameter(parameter, place, tool)),
      ...(output && { output }),
      ...(result && this.#isFunction(result) && { returnsFunction: true }),
    };
  }

  #parameter(
    parameter: ts.ParameterDeclaration,
    place: string,
    tool: ToolMethodDeclaration | InheritedTool,
  ): ParameterTypes {
    const { ts, checker, program } = this.context;
    const name = ts.isIdentifier(parameter.name) ? parameter.name.text : undefined;
    const required = !parameter.questionToken && !parameter.initializer && !parameter.dotDotDotToken;
    const facts = { ...(name !== undefined && { name }), required };
    const written = checker.getTypeAtLocation(parameter);
    const type = this.#inheritedType(tool, parameter) ?? written;
    const isRequired = required && !allowsUndefined(ts, type);
    const injected = this.#injectionOf(checker.getNonNullableType(type));
    if (injected) return { ...facts, isInjected: injected };
    const overridden = 'overridden' in tool ? tool.overridden?.parameters[indexOf(parameter) - 1] : undefined;
    const comment = this.#commentOf(parameter, type, overridden);
    const description = comment.description && { description: comment.description };
    const param =
      this.context.finder.paramOptionsOf(parameter) ?? (overridden && this.context.finder.paramOptionsOf(overridden));
    if (
      tool.isInputDeclared ||
      this.context.finder.isGiven(param, 'type') ||
      this.context.finder.isGiven(param, 'schema')
    ) {
      return { ...facts, ...description };
    }
    const plain = checker.getNonNullableType(type);
    const given = classOf(ts, plain);
    // TypeScript emits the class, which has its decorators at run time.
    if (given && isCompiled(program, given) && !jsonOf(checker, plain))
      return { ...facts, required: isRequired, ...description };
    const where = `Parameter ${name === undefined ? `number ${indexOf(parameter)}` : `'${name}'`} of ${place}`;
    const read = (): ValueTypes => {
      if (parameter.dotDotDotToken) {
        throw new UnsayableType('is a rest parameter', 'Declare an array: tags: string[].');
      }
      const isNamed = name !== undefined || this.context.finder.isGiven(param, 'name');
      if (!isNamed && (param || !this.#isWholeInput(parameter, given))) {
        throw new UnsayableType('is destructured, so it has no name', 'Name it, and destructure it in the method.');
      }
      const reader = this.#inputs;
      const value = this.#read(type, type === written ? parameter.type : undefined);
      const commented = this.context.comments
        .ofMembers(parameter)
        .reduce(
          (of, [path, inner]) => withMember(of, path, (member) => reader.commented(member, inner, parameter)),
          reader.commented(value, comment, parameter),
        );
      return reader.shared.write(this.#withDefault(commented, parameter.initializer));
    };
    const node = 'signature' in tool ? tool.extended : parameter;
    const value = this.diagnostics.collect(where, node, read, (error) => this.#isLeftOpen(error, tool));
    return { ...facts, required: isRequired, ...description, ...value };
  }

  /** People who know controllers declare the request of HTTP. */
  #read(type: ts.Type, written: ts.TypeNode | undefined): ReadValue {
    try {
      return this.#inputs.read(type, written);
    } catch (error) {
      const { symbol } = this.context.checker.getNonNullableType(type) as { symbol?: ts.Symbol };
      const isOfPackage = symbol?.declarations?.[0]?.getSourceFile().isDeclarationFile;
      const isRequest = isOfPackage && /^(?:(?:Fastify)?Request|IncomingMessage)$/.test(symbol.name);
      if (!isRequest || !(error instanceof UnsayableType)) throw error;
      throw UnsayableType.outsideJson(
        'is a request of HTTP, which no model can send',
        "Declare 'context: ToolContext', and read 'context.request', which the caller gives with .request(req).",
      );
    }
  }

  /** Whether the properties of a class with decorators are the arguments, so that the parameter needs no name. */
  #isWholeInput({ parent }: ts.ParameterDeclaration, type: ts.ClassDeclaration | undefined): boolean {
    const { checker, decorated } = this.context;
    const others = parent.parameters.filter(
      (one) => !this.#injectionOf(checker.getNonNullableType(checker.getTypeAtLocation(one))),
    );
    return others.length === 1 && type !== undefined && decorated.has(type);
  }

  /** The comment of a parameter, else of the one that it overrides. */
  #commentOf(parameter: ts.ParameterDeclaration, type: ts.Type, overridden?: ts.ParameterDeclaration): ValueComment {
    const { comments } = this.context;
    const own = comments.ofParameter(parameter, type);
    return own === NO_COMMENT && overridden ? comments.ofParameter(overridden, type) : own;
  }

  /** The type of a parameter with the type arguments of the class that inherits the method. */
  #inheritedType(tool: ToolMethodDeclaration | InheritedTool, parameter: ts.ParameterDeclaration): ts.Type | undefined {
    const { signature } = tool as Partial<InheritedTool>;
    const symbol = signature?.parameters.find(({ valueDeclaration }) => valueDeclaration === parameter);
    return symbol && this.context.checker.getTypeOfSymbol(symbol);
  }

  /** Whether the type depends on a type parameter that the subclasses of an abstract class fill in. */
  #isLeftOpen({ generic }: UnsayableType, { method }: ToolMethodDeclaration): boolean {
    const { ts } = this.context;
    const { parent } = method;
    if (!generic || !ts.isClassLike(parent) || !isAbstract(ts, parent)) return false;
    const declarations = (generic.symbol as ts.Symbol | undefined)?.declarations ?? [];
    return !declarations.some((one) => ts.isTypeParameterDeclaration(one) && one.parent === method);
  }

  /** What the application passes for a type, if anything. It may have types of the same names. */
  #injectionOf({ symbol }: ts.Type): ParameterTypes['isInjected'] {
    const { program } = this.context;
    const { name, declarations = [] } = (symbol as ts.Symbol | undefined) ?? {};
    const files = declarations.map((declaration) => declaration.getSourceFile());
    if (name === 'ToolContext')
      return files.some(({ fileName }) => this.context.finder.isOurFile(fileName)) || undefined;
    if (name !== 'AbortSignal') return undefined;
    const isBuiltIn = (file: ts.SourceFile): boolean =>
      program.isSourceFileDefaultLibrary(file) || file.fileName.includes('/node_modules/');
    return files.some(isBuiltIn) ? 'signal' : undefined;
  }

  #withDefault(value: ReadValue, initializer: ts.Expression | undefined): ReadValue {
    const fallback = initializer && initialValue(this.context.ts, this.context.checker, initializer);
    if (fallback === undefined || value.schema['default'] !== undefined) return value;
    return { ...value, schema: { ...value.schema, default: fallback } };
  }

  /** The type that a method returns. */
  #resultOf(tool: ToolMethodDeclaration | InheritedTool): ts.Type | undefined {
    const { signature = this.context.checker.getSignatureFromDeclaration(tool.method) } =
      tool as Partial<InheritedTool>;
    return signature?.getReturnType();
  }

  /** TypeScript emits the same for a function and for a class that is imported with `import type`. */
  #isFunction(type: ts.Type): boolean {
    return type.getCallSignatures().length > 0 || (type.symbol as ts.Symbol | undefined)?.name === 'Function';
  }

  /** The schema of the result, if it is an object. */
  #output(type: ts.Type): JsonSchema | undefined {
    const { ts } = this.context;
    const result = this.#unwrapped(type);
    // A client that reads the schema expects an object with each result.
    if (result.symbol?.name === 'ToolResult' || allowsUndefined(ts, result)) return undefined;
    const reader = this.#outputs;
    try {
      const { schema } = reader.shared.write(reader.read(result));
      return schema?.['type'] === 'object' && schema['properties'] !== undefined ? schema : undefined;
    } catch (error) {
      if (error instanceof UnsayableType) return undefined;
      throw error;
    }
  }

  /** The value of a Promise or Observable, or the items of an asynchronous iterable. */
  #unwrapped(type: ts.Type): ts.Type {
    const { checker } = this.context;
    const name = type.symbol?.name;
    if (!['Promise', 'Observable', 'AsyncIterable', 'AsyncGenerator', 'AsyncIterableIterator'].includes(name))
      return type;
    const [value] = checker.getTypeArguments(type as ts.TypeReference);
    return value ? this.#unwrapped(value) : type;
  }
}

function indexOf(parameter: ts.ParameterDeclaration): number {
  return parameter.parent.parameters.indexOf(parameter) + 1;
}
