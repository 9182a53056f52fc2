import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import { declarationOf, extendedBy, type Project } from './declarations.js';
import type { ToolFinder } from './find-tools.js';

/** The packages whose decorators say what JSON an instance has. */
const PACKAGES = ['class-validator', 'class-transformer', '@nestjs/swagger', '@nestor-ai/core'];

/** Tells the classes that decorators describe from those whose decorators are about something else. */
export class DecoratedClasses {
  readonly #classes = new Map<ts.ClassLikeDeclaration, boolean>();
  readonly #symbols = new Map<ts.Symbol, boolean>();

  constructor(
    private readonly project: Project,
    private readonly finder: ToolFinder,
  ) {}

  /** Whether decorators describe properties of a class or of an ancestor, or may do so. */
  has(declaration: ts.ClassLikeDeclaration): boolean {
    return remembered(this.#classes, declaration, () => this.#isDecorated(declaration));
  }

  #isDecorated(declaration: ts.ClassLikeDeclaration): boolean {
    const { ts } = this.project;
    const file = declaration.getSourceFile();
    // Declaration files do not show decorators.
    if (file.isDeclarationFile) return this.#mayDecorate(file.fileName);
    const tools = new Set<ts.ClassElement>(this.finder.methodsOf(declaration).map(({ method }) => method));
    const isDescribed = declaration.members.some(
      (member) =>
        !tools.has(member) &&
        ts.canHaveDecorators(member) &&
        ts.getDecorators(member)?.some(({ expression }) => this.#describes(expression)),
    );
    return isDescribed || this.#inherits(declaration);
  }

  #inherits(declaration: ts.ClassLikeDeclaration): boolean {
    const { ts, checker } = this.project;
    const extended = extendedBy(ts, declaration);
    if (!extended) return false;
    const base = checker.getTypeAtLocation(extended.expression).symbol as ts.Symbol | undefined;
    const parent = base?.valueDeclaration;
    if (parent && ts.isClassLike(parent)) return this.has(parent);
    // `PartialType(Dto)`: the classes that its properties come from.
    const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(extended));
    return (
      properties.length === 0 ||
      properties.some((property) => {
        const owner = declarationOf(property)?.parent;
        return !owner || !ts.isClassLike(owner) || this.has(owner);
      })
    );
  }

  /** Whether a decorator belongs to one of the packages, or is made of such decorators. */
  #describes(decorator: ts.Expression): boolean {
    const { ts } = this.project;
    if (ts.isCallExpression(decorator)) return this.#describes(decorator.expression);
    const symbol = this.#symbolOf(decorator);
    return !symbol || this.#isOfPackages(symbol);
  }

  #symbolOf(expression: ts.Expression): ts.Symbol | undefined {
    const { ts, checker } = this.project;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return ts.isIdentifier(name) ? checker.getSymbolAtLocation(name) : undefined;
  }

  #isOfPackages(local: ts.Symbol): boolean {
    const { ts, checker } = this.project;
    const specifier = local.declarations?.find(ts.isImportSpecifier)?.parent.parent.parent.moduleSpecifier;
    if (specifier && ts.isStringLiteral(specifier) && PACKAGES.includes(specifier.text)) return true;
    const symbol = local.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(local) : local;
    let isOfPackages = this.#symbols.get(symbol);
    if (isOfPackages === undefined) {
      // A function may call itself.
      this.#symbols.set(symbol, false);
      isOfPackages = (symbol.declarations ?? []).some((declaration) => this.#isDeclaredWith(declaration));
      this.#symbols.set(symbol, isOfPackages);
    }
    return isOfPackages;
  }

  #isDeclaredWith(declaration: ts.Declaration): boolean {
    const { ts } = this.project;
    const { fileName, isDeclarationFile } = declaration.getSourceFile();
    if (this.finder.isOurFile(fileName)) return true;
    const path = fileName.replaceAll('\\', '/');
    if (PACKAGES.some((name) => path.includes(`/node_modules/${name}/`))) return true;
    if (isDeclarationFile || path.includes('/node_modules/')) return false;
    const isNamed = (expression: ts.Expression): boolean => {
      const symbol = this.#symbolOf(expression);
      return symbol !== undefined && this.#isOfPackages(symbol);
    };
    const calls = (node: ts.Node): boolean =>
      (ts.isCallExpression(node) && isNamed(node.expression)) || (ts.forEachChild(node, calls) ?? false);
    const { initializer } = declaration as Partial<ts.VariableDeclaration>;
    return (initializer !== undefined && isNamed(initializer)) || calls(declaration);
  }

  /** Whether a package uses the decorators, by its package.json. */
  #mayDecorate(fileName: string): boolean {
    const manifest = this.finder.manifestOf(fileName);
    if (!manifest) return true;
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    const used = new Set(Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }));
    return PACKAGES.some((name) => used.has(name));
  }
}
