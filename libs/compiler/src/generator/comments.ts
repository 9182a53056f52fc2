import type ts from 'typescript';
import type { JsonSchema } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import { defaultIn } from './comment-default.js';
import { keywordOf, type Keyword } from './comment-keywords.js';
import { linesOf, textOfNodes, textOfParts } from './comment-text.js';
import { isInProject, type Project } from './declarations.js';

/** What a comment says about a value. */
export interface ValueComment {
  readonly description?: string;
  /** The tags that are keywords of JSON Schema. */
  readonly keywords: JsonSchema;
  /** What is wrong with tags, with a remedy. */
  readonly problems: readonly string[];
  /** Whether the project wrote the tags for this very type, so that a tag that does not fit is an error. */
  readonly mustFit: boolean;
}

export const NO_COMMENT: ValueComment = { keywords: {}, problems: [], mustFit: false };

/** The tags that do not depend on the type. */
const FOR_ALL_TYPES: ReadonlySet<string> = new Set(['title', 'deprecated']);

/** A tag: its name and its text. */
interface Tag {
  readonly name: string;
  readonly text: string;
  /** Where it is written, or what inherits it. */
  readonly place: ts.Node;
}

/** Reads comments in the format of JSDoc. */
export class Comments {
  constructor(private readonly project: Project) {}

  /**
   * The comment of a property, an interface or a type alias.
   *
   * @param isWrittenFor whether the tags of a declaration count
   */
  ofSymbol(symbol: ts.Symbol, isWrittenFor: (declaration: ts.Declaration) => boolean = () => true): ValueComment {
    const { declarations = [] } = symbol;
    const description = this.#descriptionOf(symbol);
    const tagged = declarations.filter((declaration) => this.#tagsFor(declaration).length > 0);
    if (tagged.length === 0) {
      const inherited = symbol.getJsDocTags(this.project.checker);
      if (!description && inherited.length === 0) return NO_COMMENT;
      const place = declarations[0]!;
      const tags = inherited.map(({ name, text }) => ({ name, text: textOfParts(text), place }));
      return this.#commentOf(description, tags, false);
    }
    const tags = tagged.flatMap((declaration) => {
      const all = this.#tagsFor(declaration).map((tag) => this.#tagOf(tag, declaration));
      return isWrittenFor(declaration) ? all : all.filter(({ name }) => FOR_ALL_TYPES.has(name));
    });
    return this.#commentOf(
      description,
      tags,
      // The tags of packages are for other tools.
      tagged.every((declaration) => isInProject(this.project.program, declaration) && !this.#isGeneric(declaration)),
    );
  }

  /**
   * The comment of a property. The tags only count if its type comes from its declaration: a mapped type may give it
   * another one.
   *
   * @param owner the type that has the property
   */
  ofProperty(symbol: ts.Symbol, type: ts.Type, owner: ts.Type): ValueComment {
    const { ts } = this.project;
    const isWrittenFor = (declaration: ts.Declaration): boolean =>
      !(symbol.flags & ts.SymbolFlags.Transient) ||
      (!this.#isMappedAnew(owner, symbol.name) && this.isAbout(declaration, type));
    const { valueDeclaration: at } = symbol;
    if (at && ts.isParameter(at) && isWrittenFor(at)) return this.ofParameter(at, type);
    return this.ofSymbol(symbol, isWrittenFor);
  }

  /** Whether the type of a property is the same for all keys: `{ [K in keyof T]: string }`. */
  #isMappedAnew(owner: ts.Type, name: string): boolean {
    const { ts, checker } = this.project;
    if (owner.isIntersection()) {
      const parts = owner.types.filter((part) => checker.getPropertyOfType(part, name));
      return parts.every((part) => this.#isMappedAnew(part, name));
    }
    const declaration = (owner.symbol as ts.Symbol | undefined)?.declarations?.[0];
    if (!declaration || !ts.isMappedTypeNode(declaration) || !declaration.type) return false;
    return !this.#isGeneric(declaration.type);
  }

  /**
   * Whether what is written at a node applies to a type: the type is the one that is written there, has more values, or
   * fills in type parameters.
   */
  isAbout(node: ts.Node, type: ts.Type): boolean {
    const { checker } = this.project;
    const written = checker.getTypeAtLocation(node);
    if (written === type || checker.isTypeAssignableTo(checker.getNonNullableType(written), type)) return true;
    return this.#isGeneric(node);
  }

  /** Whether the comment of a type is about a helper, such as `Partial<T>`, and not about its values. */
  isOfHelper(declaration: ts.Declaration): boolean {
    const file = declaration.getSourceFile();
    if (this.project.program.isSourceFileDefaultLibrary(file)) return true;
    const isGeneric = this.project.ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters !== undefined;
    return isGeneric && this.project.program.isSourceFileFromExternalLibrary(file);
  }

  /** Whether a type names type parameters. */
  #isGeneric(node: ts.Node): boolean {
    const { ts, checker } = this.project;
    const visit = (at: ts.Node): boolean => {
      if (ts.isBlock(at)) return false;
      const name = ts.isTypeReferenceNode(at) ? checker.getSymbolAtLocation(at.typeName) : undefined;
      return ((name?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0 || (ts.forEachChild(at, visit) ?? false);
    };
    return visit(node);
  }

  #tagOf(tag: ts.JSDocTag, place: ts.Node = tag): Tag {
    return { name: tag.tagName.text, text: textOfNodes(this.project.ts, tag.comment), place };
  }

  #tagsFor(declaration: ts.Declaration): readonly ts.JSDocTag[] {
    return this.#inLine(declaration)?.tags ?? this.project.ts.getJSDocTags(declaration);
  }

  #descriptionOf(symbol: ts.Symbol): string {
    const { declarations = [] } = symbol;
    const isKnown = declarations.some((declaration) => this.project.ts.getJSDocCommentsAndTags(declaration).length > 0);
    const [inLine] = isKnown ? [] : declarations.flatMap((declaration) => this.#inLine(declaration) ?? []);
    return linesOf(
      textOfNodes(this.project.ts, inLine?.comment) ||
        textOfParts(symbol.getDocumentationComment(this.project.checker)),
    );
  }

  /** The comment of a member that follows another one on the same line, which TypeScript does not read. */
  #inLine(declaration: ts.Declaration): ts.JSDoc | undefined {
    const { ts } = this.project;
    const file = declaration.getSourceFile();
    const before = file.text.slice(declaration.pos, declaration.getStart(file));
    if (!/^[^\S\n]*\/\*\*[^\n]*\*\/[^\S\n]*$/.test(before)) return undefined;
    const [read] = ts.createSourceFile('comment.ts', `${before} let value;`, file.languageVersion, true).statements;
    return ts.getJSDocCommentsAndTags(read!).find(ts.isJSDoc);
  }

  /** The comment of a method, without its tags. The first overload may have it. */
  ofMethod(method: ts.MethodDeclaration): string | undefined {
    const { ts } = this.project;
    const texts = [method, ...this.#overloadsOf(method)].map((declaration) => {
      const last = ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
      return linesOf(textOfNodes(ts, last?.comment));
    });
    return texts.find(Boolean);
  }

  #overloadsOf(method: ts.MethodDeclaration): readonly ts.Declaration[] {
    const { declarations = [] } = this.project.checker.getSymbolAtLocation(method.name) ?? {};
    return declarations.filter((declaration) => declaration !== method);
  }

  /**
   * The comment of a parameter: its own, or its `@param` tag. The tags between its `@param` tag and
   * the next one belong to it. After the last one, `@deprecated` is about the method.
   *
   * @param type the type of the parameter. It may be another one than the parameter has, in an inherited method
   */
  ofParameter(parameter: ts.ParameterDeclaration, type: ts.Type): ValueComment {
    const { ts } = this.project;
    const docs = ts.getJSDocCommentsAndTags(parameter).filter(ts.isJSDoc);
    const own = docs.findLast((doc) => doc.parent === parameter);
    const [param, ...others] = this.#paramTags(parameter).find(([path]) => path.length === 0)?.[1] ?? [];
    const description = linesOf(
      textOfNodes(ts, own?.comment) || textOfNodes(ts, param?.comment).replace(/^\s*-\s+/, ''),
    );
    const tags = [...others, ...(own?.tags ?? [])].map((tag) => this.#tagOf(tag));
    if (!description && tags.length === 0) return NO_COMMENT;
    const isOwnType = this.project.checker.getTypeAtLocation(parameter) === type;
    return this.#commentOf(description, tags, isOwnType && isInProject(this.project.program, parameter));
  }

  /** The comments of properties of a parameter, such as `@param options.city`, by their paths. */
  ofMembers(parameter: ts.ParameterDeclaration): readonly (readonly [path: readonly string[], ValueComment])[] {
    const ofMembers = this.#paramTags(parameter).filter(([path]) => path.length > 0);
    return ofMembers.map(([path, [param, ...others]]) => {
      const description = linesOf(textOfNodes(this.project.ts, param?.comment).replace(/^\s*-\s+/, ''));
      const keywords = others.map((one) => this.#tagOf(one));
      return [path, this.#commentOf(description, keywords, isInProject(this.project.program, parameter))];
    });
  }

  /** What the comments of an enum's members say, as a list, and the names of numbers. */
  ofValues(declaration: ts.EnumDeclaration): string | undefined {
    const lines = declaration.members.flatMap((member) => {
      const symbol = this.project.checker.getSymbolAtLocation(member.name);
      const text = this.#descriptionOf(symbol!).replaceAll(/\s*\n\s*/g, ' ');
      const value = this.project.checker.getConstantValue(member);
      const words = [...(typeof value === 'number' ? [symbol!.name] : []), ...(text ? [text] : [])];
      return words.length > 0 ? [`- ${value}: ${words.join(': ')}`] : [];
    });
    return lines.length > 0 ? lines.join('\n') : undefined;
  }

  /** The `@param` tags of a parameter and its properties: the path, the tag, and the tags up to the next one. */
  #paramTags(parameter: ts.ParameterDeclaration): readonly (readonly [path: string[], tags: readonly ts.JSDocTag[]])[] {
    const { ts } = this.project;
    if (!ts.isIdentifier(parameter.name)) return [];
    const { text } = parameter.name;
    const tags = this.#methodTags(parameter);
    return tags.flatMap((tag, at) => {
      const [name, ...path] = ts.isJSDocParameterTag(tag) ? namesOf(ts, tag.name) : [];
      return name === text ? [[path, this.#tagsFrom(tags, at)] as const] : [];
    });
  }

  /** The tags of the method of a parameter. The first overload may have them. */
  #methodTags({ parent }: ts.ParameterDeclaration): readonly ts.JSDocTag[] {
    const { ts } = this.project;
    const own = ts.getJSDocTags(parent);
    const [first] = ts.isMethodDeclaration(parent) ? this.#overloadsOf(parent) : [];
    return own.length > 0 || !first ? own : ts.getJSDocTags(first);
  }

  /** A `@param` tag, and the tags that belong to it. */
  #tagsFrom(tags: readonly ts.JSDocTag[], from: number): readonly ts.JSDocTag[] {
    const { ts } = this.project;
    const after = tags.slice(from + 1);
    const to = after.findIndex((tag) => ts.isJSDocParameterTag(tag) || ts.isJSDocReturnTag(tag));
    const isLast = !after.some(ts.isJSDocParameterTag);
    const others = after.slice(0, to < 0 ? undefined : to).filter((tag) => !isLast || !ts.isJSDocDeprecatedTag(tag));
    return [tags[from]!, ...others];
  }

  #commentOf(description: string, tags: readonly Tag[], mustFit: boolean): ValueComment {
    const keywords: Record<string, unknown> = {};
    const problems: string[] = [];
    for (const { name, text, place } of tags) {
      const keyword: Keyword | undefined = keywordOf(name, text.trim(), (code) => defaultIn(this.project, code, place));
      if (keyword?.problem !== undefined) problems.push(keyword.problem);
      else if (keyword?.name === 'examples') keywords['examples'] = [keywords['examples'] ?? [], keyword.value].flat();
      else if (keyword) keywords[keyword.name] = keyword.value;
    }
    return { ...(description && { description }), keywords, problems, mustFit };
  }
}

/** The names in `options.city`. */
function namesOf(ts: TypeScript, name: ts.EntityName): readonly string[] {
  return ts.isIdentifier(name) ? [name.text] : [...namesOf(ts, name.left), name.right.text];
}
