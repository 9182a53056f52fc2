import { dirname, join } from 'node:path';
import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import type { Project } from './declarations.js';

/** Applications import the first one, which exports declarations of the other. */
const PACKAGES = ['@nestor-ai/core', '@nestor-ai/schema'];

/** How many constants may be names of one another. */
const MAX_NAMES = 10;

type Decorator = 'Tool' | 'ToolParam';

/** A method with `@Tool()`. */
export interface ToolMethodDeclaration {
  readonly method: ts.MethodDeclaration & { readonly name: ts.Identifier | ts.StringLiteral };
  /** Whether the decorator describes the whole input, with `inputSchema` or `inputType`. */
  readonly isInputDeclared: boolean;
  /** Whether the decorator describes the result. */
  readonly isOutputDeclared: boolean;
}

/** What is read of a package.json. */
interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Finds the decorators of Nestor in source code. */
export class ToolFinder {
  readonly #manifests = new Map<string, Manifest | undefined>();
  /** The decorators inside of functions of the application. */
  readonly #made: Readonly<Record<Decorator, Map<ts.Symbol, ts.Expression | undefined>>> = {
    Tool: new Map(),
    ToolParam: new Map(),
  };

  constructor(private readonly project: Project) {}

  /**
   * The classes of a file that have tools, outside of functions as well as inside.
   *
   * @param inherits whether a class inherits tools that have to be read
   */
  classesOf(
    file: ts.SourceFile,
    inherits: (declaration: ts.ClassLikeDeclaration) => boolean,
  ): readonly ts.ClassLikeDeclaration[] {
    const { ts } = this.project;
    const found: ts.ClassLikeDeclaration[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isClassLike(node) && (this.methodsOf(node).length > 0 || inherits(node))) found.push(node);
      ts.forEachChild(node, visit);
    };
    // Most files have no tools.
    if (/@|\bextends\b/.test(file.text)) visit(file);
    return found;
  }

  methodsOf(declaration: ts.ClassLikeDeclaration): readonly ToolMethodDeclaration[] {
    return declaration.members.flatMap((member) => this.#toolOf(member) ?? []);
  }

  /** The options of `@ToolParam()`, if a parameter has one. */
  paramOptionsOf(parameter: ts.ParameterDeclaration): ts.Type | undefined {
    const decorator = this.#decoratorOf(parameter, 'ToolParam');
    return decorator && this.#optionsOf(decorator);
  }

  /** Whether a property has a `@ToolParam()`. */
  hasParam(property: ts.PropertyDeclaration): boolean {
    return this.#decoratorOf(property, 'ToolParam') !== undefined;
  }

  /** Whether an option is certainly given. */
  isGiven(options: ts.Type | undefined, name: string): boolean {
    const property = options && this.project.checker.getPropertyOfType(options, name);
    return property !== undefined && !(property.flags & this.project.ts.SymbolFlags.Optional);
  }

  #toolOf(member: ts.ClassElement): ToolMethodDeclaration | undefined {
    const { ts } = this.project;
    if (!isNamedMethod(ts, member)) return undefined;
    const decorator = this.#decoratorOf(member, 'Tool');
    if (!decorator) return undefined;
    const options = this.#optionsOf(decorator);
    return {
      method: member,
      isInputDeclared: this.isGiven(options, 'inputSchema') || this.isGiven(options, 'inputType'),
      isOutputDeclared: this.isGiven(options, 'outputSchema') || this.isGiven(options, 'outputType'),
    };
  }

  #optionsOf(call: ts.Expression): ts.Type | undefined {
    const argument = this.project.ts.isCallExpression(call) ? call.arguments[0] : undefined;
    return argument && this.project.checker.getTypeAtLocation(argument);
  }

  /** The decorator with a name that a declaration has, also inside of a decorator of the application. */
  #decoratorOf(node: ts.HasDecorators, name: Decorator): ts.Expression | undefined {
    for (const { expression } of this.project.ts.getDecorators(node) ?? []) {
      const call = this.#callIn(expression, name);
      if (call) return call;
    }
    return undefined;
  }

  #callIn(expression: ts.Expression, name: Decorator): ts.Expression | undefined {
    const symbol = this.#calledBy(expression);
    if (!symbol) return undefined;
    if (symbol === name) return expression;
    return typeof symbol === 'string' ? undefined : this.#callMadeBy(symbol, name);
  }

  /** The call inside of a function such as `const ReadTool = () => applyDecorators(Tool(), UseGuards(Reader))`. */
  #callMadeBy(symbol: ts.Symbol, name: Decorator): ts.Expression | undefined {
    const known = this.#made[name];
    if (known.has(symbol)) return known.get(symbol);
    // A function may call itself.
    known.set(symbol, undefined);
    const { ts } = this.project;
    const visit = (node: ts.Node): ts.Expression | undefined => {
      if (ts.isClassLike(node)) return undefined;
      const call = ts.isCallExpression(node) ? this.#callIn(node, name) : undefined;
      return call ?? ts.forEachChild(node, visit);
    };
    const declaration = symbol.valueDeclaration;
    const isOwn = declaration && !declaration.getSourceFile().isDeclarationFile;
    const call = isOwn && this.#mayMakeDecorators(declaration) ? visit(declaration) : undefined;
    known.set(symbol, call);
    return call;
  }

  /** A function, or a member of an object or a class, such as `Tools.read()`. */
  #mayMakeDecorators(node: ts.Declaration): boolean {
    const { ts } = this.project;
    return (
      ts.isFunctionDeclaration(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isPropertyAssignment(node)
    );
  }

  /** The decorator of Nestor that an expression names or calls, or else the symbol that it names. */
  #calledBy(expression: ts.Expression, names = 0): string | ts.Symbol | undefined {
    const { ts, checker } = this.project;
    const called = ts.isCallExpression(expression) ? expression.expression : expression;
    const identifier = ts.isPropertyAccessExpression(called) ? called.name : called;
    if (!ts.isIdentifier(identifier)) return undefined;
    const local = checker.getSymbolAtLocation(identifier);
    if (!local) return undefined;
    if (!(local.flags & ts.SymbolFlags.Alias))
      return this.#isDeclaredByUs(local) ? local.name : this.#renamed(local, names);
    const specifier = local.declarations?.find(ts.isImportSpecifier);
    const from = specifier?.parent.parent.parent.moduleSpecifier;
    if (from && ts.isStringLiteral(from) && PACKAGES.includes(from.text))
      return (specifier.propertyName ?? specifier.name).text;
    const symbol = checker.getAliasedSymbol(local);
    return this.#isDeclaredByUs(symbol) ? symbol.name : this.#renamed(symbol, names);
  }

  /**
   * What a constant is another name for: `const AiTool = Tool`.
   *
   * @param names how many names led to it, which may form a circle
   */
  #renamed(symbol: ts.Symbol, names: number): string | ts.Symbol {
    const { ts } = this.project;
    const { valueDeclaration: declaration } = symbol;
    if (!declaration || !ts.isVariableDeclaration(declaration) || names >= MAX_NAMES) return symbol;
    const { initializer, parent } = declaration;
    const isName = initializer && (ts.isIdentifier(initializer) || ts.isPropertyAccessExpression(initializer));
    return (isName && parent.flags & ts.NodeFlags.Const && this.#calledBy(initializer, names + 1)) || symbol;
  }

  #isDeclaredByUs({ declarations = [] }: ts.Symbol): boolean {
    return declarations.some((declaration) => this.isOurFile(declaration.getSourceFile().fileName));
  }

  /** Whether a file belongs to the packages with the decorators. */
  isOurFile(fileName: string): boolean {
    if (/[\\/]@nestor-ai[\\/](core|schema)[\\/]/.test(fileName)) return true;
    return PACKAGES.includes(this.manifestOf(fileName)?.name ?? '');
  }

  /** The package.json of the package of a file. One without a name is only a mark, such as `{ "type": "module" }`. */
  manifestOf(fileName: string): Manifest | undefined {
    const folder = dirname(fileName);
    return remembered(this.#manifests, folder, () => {
      const manifest = parse(this.project.ts.sys.readFile(join(folder, 'package.json')));
      if (manifest?.name) return manifest;
      return folder === dirname(folder) ? undefined : this.manifestOf(folder);
    });
  }
}

/** Whether a member is a method that may be a tool. */
export function isNamedMethod(ts: TypeScript, member: ts.ClassElement): member is ToolMethodDeclaration['method'] {
  if (!ts.isMethodDeclaration(member) || !member.body) return false;
  return ts.isIdentifier(member.name) || ts.isStringLiteral(member.name);
}

function parse(manifest = ''): Manifest | undefined {
  try {
    return JSON.parse(manifest) as Manifest;
  } catch {
    return undefined;
  }
}
