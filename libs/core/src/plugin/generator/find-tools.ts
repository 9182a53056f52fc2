import { dirname, join } from 'node:path';
import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

const PACKAGE = '@nestor-ai/core';

/** A method with `@Tool()`. */
export interface ToolMethodDeclaration {
  readonly method: ts.MethodDeclaration & { readonly name: ts.Identifier | ts.StringLiteral };
  /** Whether the decorator describes the whole input, with `inputSchema` or `inputType`. */
  readonly isInputDeclared: boolean;
  /** Whether the decorator describes the result. */
  readonly isOutputDeclared: boolean;
}

/** Finds the decorators of this package in source code. */
export class ToolFinder {
  readonly #isOurs = new Map<string, boolean>();

  constructor(
    private readonly ts: TypeScript,
    private readonly checker: ts.TypeChecker,
  ) {}

  /** The classes of a file that have tools, outside of functions as well as inside. */
  classesOf(file: ts.SourceFile): readonly ts.ClassLikeDeclaration[] {
    const { ts } = this;
    const found: ts.ClassLikeDeclaration[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isClassLike(node) && this.methodsOf(node).length > 0) found.push(node);
      ts.forEachChild(node, visit);
    };
    // Most files have no tools.
    if (file.text.includes('@')) visit(file);
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

  /** Whether an option is certainly given. */
  isGiven(options: ts.Type | undefined, name: string): boolean {
    const property = options && this.checker.getPropertyOfType(options, name);
    return property !== undefined && !(property.flags & this.ts.SymbolFlags.Optional);
  }

  #toolOf(member: ts.ClassElement): ToolMethodDeclaration | undefined {
    const { ts } = this;
    if (!ts.isMethodDeclaration(member) || !member.body) return undefined;
    if (!ts.isIdentifier(member.name) && !ts.isStringLiteral(member.name)) return undefined;
    const decorator = this.#decoratorOf(member, 'Tool');
    if (!decorator) return undefined;
    const options = this.#optionsOf(decorator);
    return {
      method: member as ToolMethodDeclaration['method'],
      isInputDeclared: this.isGiven(options, 'inputSchema') || this.isGiven(options, 'inputType'),
      isOutputDeclared: this.isGiven(options, 'outputSchema') || this.isGiven(options, 'outputType'),
    };
  }

  #optionsOf({ expression }: ts.Decorator): ts.Type | undefined {
    const argument = this.ts.isCallExpression(expression) ? expression.arguments[0] : undefined;
    return argument && this.checker.getTypeAtLocation(argument);
  }

  #decoratorOf(node: ts.HasDecorators, name: string): ts.Decorator | undefined {
    return this.ts.getDecorators(node)?.find(({ expression }) => this.#isNamed(expression, name));
  }

  #isNamed(expression: ts.LeftHandSideExpression, name: string): boolean {
    const { ts, checker } = this;
    const called = ts.isCallExpression(expression) ? expression.expression : expression;
    const identifier = ts.isPropertyAccessExpression(called) ? called.name : called;
    if (!ts.isIdentifier(identifier)) return false;
    const local = checker.getSymbolAtLocation(identifier);
    if (!local) return false;
    if (!(local.flags & ts.SymbolFlags.Alias)) return local.name === name && this.#isDeclaredByUs(local);
    const specifier = local.declarations?.find(ts.isImportSpecifier);
    const imported = (specifier?.propertyName ?? specifier?.name)?.text;
    const from = specifier?.parent.parent.parent.moduleSpecifier;
    if (from && ts.isStringLiteral(from) && from.text === PACKAGE) return imported === name;
    const symbol = checker.getAliasedSymbol(local);
    return symbol.name === name && this.#isDeclaredByUs(symbol);
  }

  #isDeclaredByUs({ declarations = [] }: ts.Symbol): boolean {
    return declarations.some((declaration) => this.isOurFile(declaration.getSourceFile().fileName));
  }

  /** Whether a file belongs to this package. */
  isOurFile(fileName: string): boolean {
    if (/[\\/]@nestor-ai[\\/]core[\\/]/.test(fileName)) return true;
    const folder = dirname(fileName);
    let isOurs = this.#isOurs.get(folder);
    if (isOurs === undefined) {
      const manifest = this.ts.sys.readFile(join(folder, 'package.json'));
      const name = manifest && nameIn(manifest);
      isOurs = name ? name === PACKAGE : folder !== dirname(folder) && this.isOurFile(folder);
      this.#isOurs.set(folder, isOurs);
    }
    return isOurs;
  }
}

function nameIn(manifest: string): string | undefined {
  try {
    return (JSON.parse(manifest) as { name?: string }).name;
  } catch {
    return undefined;
  }
}
