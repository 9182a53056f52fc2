import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import { extendedBy, instanceOf, isAbstract, isStatic, type Project } from './declarations.js';
import { isNamedMethod, type ToolFinder, type ToolMethodDeclaration } from './find-tools.js';

/** A tool that a class has because of its superclass: it inherits or overrides a `@Tool()` method. */
export interface InheritedTool extends ToolMethodDeclaration {
  /** With the type arguments that the class passes to its superclass. Undefined if it overrides the method. */
  readonly signature?: ts.Signature;
  /** The method with `@Tool()`, if the class overrides it without. */
  readonly overridden?: ts.MethodDeclaration;
  /** Where the class names its superclass. */
  readonly extended: ts.ExpressionWithTypeArguments;
}

const NONE: readonly InheritedTool[] = [];

/**
 * Finds the tools that classes have because of their superclasses, with types of their own: methods of
 * generic classes, and methods that override a tool without `@Tool()`.
 */
export class InheritedTools {
  readonly #known = new Map<ts.ClassLikeDeclaration, readonly InheritedTool[]>();
  readonly #declared = new Map<ts.ClassLikeDeclaration, readonly ToolMethodDeclaration[]>();

  constructor(
    private readonly project: Project,
    private readonly finder: ToolFinder,
  ) {}

  /**
   * The methods of a class that override tools, and its inherited tools whose types differ from those of
   * the superclass. An abstract class has none of the latter, because its subclasses have them.
   */
  of(declaration: ts.ClassLikeDeclaration): readonly InheritedTool[] {
    const extended = extendedBy(this.project.ts, declaration);
    return extended ? remembered(this.#known, declaration, () => this.#read(declaration, extended)) : NONE;
  }

  #read(declaration: ts.ClassLikeDeclaration, extended: ts.ExpressionWithTypeArguments): readonly InheritedTool[] {
    const { ts } = this.project;
    const type = instanceOf(this.project.checker, declaration);
    const superclasses = this.#superclassesOf(type);
    const tools = this.#overriding(declaration, superclasses).map((tool): InheritedTool => ({ ...tool, extended }));
    if (isAbstract(ts, declaration)) return tools;
    for (const [index, superclass] of superclasses.entries()) {
      // At run time, types are inherited from the class that has the method, and from those that read it again.
      const typed = superclasses.filter((one) => one === superclass || !isAbstract(ts, one));
      const above = superclasses.slice(index + 1);
      for (const tool of [...this.#declaredBy(superclass), ...this.#overriding(superclass, above)]) {
        if (isStatic(ts, tool.method)) continue;
        const signature = this.#signatureOf(type, tool.method);
        const known = typed.map((one) => this.#signatureOf(instanceOf(this.project.checker, one), tool.method));
        if (signature && !known.some((one) => one && this.#areSame(one, signature)))
          tools.push({ ...tool, signature, extended });
      }
    }
    return tools;
  }

  /** The methods of a class without `@Tool()` that override a tool: at run time, they are tools as well. */
  #overriding(
    declaration: ts.ClassLikeDeclaration,
    superclasses: readonly ts.ClassLikeDeclaration[],
  ): readonly (ToolMethodDeclaration & Pick<InheritedTool, 'overridden'>)[] {
    const { ts } = this.project;
    const inherited = superclasses.flatMap((superclass) => this.#declaredBy(superclass));
    if (inherited.length === 0) return [];
    const own = this.#declaredBy(declaration);
    return declaration.members.flatMap((method) => {
      if (!isNamedMethod(ts, method) || own.some((tool) => tool.method === method)) return [];
      const tool = inherited.find(
        ({ method: other }) => other.name.text === method.name.text && isStatic(ts, other) === isStatic(ts, method),
      );
      return tool ? [{ ...tool, method, overridden: tool.method }] : [];
    });
  }

  /** The methods of a class with `@Tool()`. A superclass is asked for each class that extends it. */
  #declaredBy(declaration: ts.ClassLikeDeclaration): readonly ToolMethodDeclaration[] {
    return remembered(this.#declared, declaration, () => this.finder.methodsOf(declaration));
  }

  /**
   * The signature of a method in a class. Undefined if the class, or a superclass of it, overrides the
   * method, or if the method has overloads, whose implementation is not visible outside of its class.
   */
  #signatureOf(type: ts.Type, method: ToolMethodDeclaration['method']): ts.Signature | undefined {
    const property = this.project.checker.getPropertyOfType(type, method.name.text);
    if (property?.valueDeclaration !== method) return undefined;
    return this.project.checker
      .getTypeOfSymbol(property)
      .getCallSignatures()
      .find(({ declaration }) => declaration === method);
  }

  #areSame(a: ts.Signature, b: ts.Signature): boolean {
    const typesOf = (signature: ts.Signature): readonly ts.Type[] => [
      ...signature.parameters.map((parameter) => this.project.checker.getTypeOfSymbol(parameter)),
      signature.getReturnType(),
    ];
    const others = typesOf(b);
    return typesOf(a).every((type, index) => type === others[index]);
  }

  /** The superclasses whose decorators are known. */
  #superclassesOf(type: ts.Type): readonly ts.ClassLikeDeclaration[] {
    const { ts, checker } = this.project;
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
}
