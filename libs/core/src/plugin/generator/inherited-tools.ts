import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import type { ToolFinder, ToolMethodDeclaration } from './find-tools.js';

/** A `@Tool()` method that a class inherits. */
export interface InheritedTool extends ToolMethodDeclaration {
  /** With the type arguments that the class passes to its superclass. */
  readonly signature: ts.Signature;
  /** Where the class names its superclass. */
  readonly extended: ts.ExpressionWithTypeArguments;
}

const NONE: readonly InheritedTool[] = [];

/** Finds the tools of generic classes that subclasses inherit with types of their own. */
export class InheritedTools {
  readonly #known = new Map<ts.ClassLikeDeclaration, readonly InheritedTool[]>();

  constructor(
    private readonly ts: TypeScript,
    private readonly checker: ts.TypeChecker,
    private readonly finder: ToolFinder,
  ) {}

  /**
   * The inherited tools of a class whose types differ from those of the superclass. An abstract class
   * has none, because its subclasses have them.
   */
  of(declaration: ts.ClassLikeDeclaration): readonly InheritedTool[] {
    const extended = this.#extendedBy(declaration);
    if (!extended) return NONE;
    let tools = this.#known.get(declaration);
    if (!tools) this.#known.set(declaration, (tools = this.#read(declaration, extended)));
    return tools;
  }

  #extendedBy(declaration: ts.ClassLikeDeclaration): ts.ExpressionWithTypeArguments | undefined {
    const { ts } = this;
    if (isAbstract(ts, declaration)) return undefined;
    return declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  }

  #read(declaration: ts.ClassLikeDeclaration, extended: ts.ExpressionWithTypeArguments): readonly InheritedTool[] {
    const { ts, finder } = this;
    const type = this.#instanceOf(declaration);
    const tools: InheritedTool[] = [];
    const superclasses = this.#superclassesOf(type);
    for (const superclass of superclasses) {
      // At run time, types are inherited from the class that has the method, and from those that read it again.
      const typed = superclasses.filter((one) => one === superclass || !isAbstract(ts, one));
      for (const tool of finder.methodsOf(superclass)) {
        if (ts.getCombinedModifierFlags(tool.method) & ts.ModifierFlags.Static) continue;
        const signature = this.#signatureOf(type, tool.method);
        const known = typed.map((one) => this.#signatureOf(this.#instanceOf(one), tool.method));
        if (signature && !known.some((one) => one && this.#areSame(one, signature)))
          tools.push({ ...tool, signature, extended });
      }
    }
    return tools;
  }

  /**
   * The signature of a method in a class. Undefined if the class, or a superclass of it, overrides the
   * method, or if the method has overloads, whose implementation is not visible outside of its class.
   */
  #signatureOf(type: ts.Type, method: ToolMethodDeclaration['method']): ts.Signature | undefined {
    const property = this.checker.getPropertyOfType(type, method.name.text);
    if (property?.valueDeclaration !== method) return undefined;
    return this.checker
      .getTypeOfSymbol(property)
      .getCallSignatures()
      .find(({ declaration }) => declaration === method);
  }

  #areSame(a: ts.Signature, b: ts.Signature): boolean {
    const typesOf = (signature: ts.Signature): readonly ts.Type[] => [
      ...signature.parameters.map((parameter) => this.checker.getTypeOfSymbol(parameter)),
      signature.getReturnType(),
    ];
    const others = typesOf(b);
    return typesOf(a).every((type, index) => type === others[index]);
  }

  /** The superclasses whose decorators are known. */
  #superclassesOf(type: ts.Type): readonly ts.ClassLikeDeclaration[] {
    const { ts, checker } = this;
    const found: ts.ClassLikeDeclaration[] = [];
    const baseOf = (of: ts.Type): ts.Type | undefined => {
      const { target = of } = of as Partial<ts.TypeReference>;
      return target.isClass() ? checker.getBaseTypes(target)[0] : undefined;
    };
    for (let base = baseOf(type); base; base = baseOf(base)) {
      const declaration = (base.symbol as ts.Symbol | undefined)?.valueDeclaration;
      if (!declaration || !ts.isClassLike(declaration) || declaration.getSourceFile().isDeclarationFile) break;
      found.push(declaration);
    }
    return found;
  }

  /** The type of the instances, with the type parameters as they are declared. */
  #instanceOf(declaration: ts.ClassLikeDeclaration): ts.Type {
    const { symbol } = this.checker.getTypeAtLocation(declaration);
    return this.checker.getDeclaredTypeOfSymbol(symbol);
  }
}

/** Whether a class has no instances of its own. */
export function isAbstract(ts: TypeScript, declaration: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0;
}
