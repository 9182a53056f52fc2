import type ts from 'typescript';
import type { JsonSchema } from '../../model/json-schema.js';
import type { TypeScript } from '../typescript.js';
import { keywordOf, type Keyword } from './comment-keywords.js';

/** What a comment says about a value. */
export interface ValueComment {
  readonly description?: string;
  /** The tags that are keywords of JSON Schema. */
  readonly keywords: JsonSchema;
  /** What is wrong with tags, with a remedy. */
  readonly problems: readonly string[];
}

const NO_COMMENT: ValueComment = { keywords: {}, problems: [] };

/** A tag: its name and its text. */
interface Tag {
  readonly name: string;
  readonly text: string;
}

/** Reads comments in the format of JSDoc. */
export class Comments {
  constructor(
    private readonly ts: TypeScript,
    private readonly checker: ts.TypeChecker,
  ) {}

  /** The comment of a property, an interface or a type alias. */
  ofSymbol(symbol: ts.Symbol): ValueComment {
    const { ts } = this;
    const description = textOf(ts.displayPartsToString(symbol.getDocumentationComment(this.checker)));
    const tags = symbol.getJsDocTags(this.checker);
    if (!description && tags.length === 0) return NO_COMMENT;
    return commentOf(
      description,
      tags.map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) })),
    );
  }

  /** The comment of a method, without its tags. The first overload may have it. */
  ofMethod(method: ts.MethodDeclaration): string | undefined {
    const { ts } = this;
    const texts = [method, ...this.#overloadsOf(method)].map((declaration) => {
      const last = ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
      return textOf(ts.getTextOfJSDocComment(last?.comment) ?? '');
    });
    return texts.find(Boolean);
  }

  #overloadsOf(method: ts.MethodDeclaration): readonly ts.Declaration[] {
    const { declarations = [] } = this.checker.getSymbolAtLocation(method.name) ?? {};
    return declarations.filter((declaration) => declaration !== method);
  }

  /**
   * The comment of a parameter: its own, or its `@param` tag. The tags between its `@param` tag and
   * the next one belong to it. After the last one, `@deprecated` is about the method.
   */
  ofParameter(parameter: ts.ParameterDeclaration): ValueComment {
    const { ts } = this;
    const own = ts.getJSDocCommentsAndTags(parameter).findLast((doc) => ts.isJSDoc(doc) && doc.parent === parameter);
    const [param, ...others] = this.#tagsOf(parameter);
    const ownText = own && ts.isJSDoc(own) ? own : undefined;
    const description = textOf(
      ts.getTextOfJSDocComment(ownText?.comment) ?? ts.getTextOfJSDocComment(param?.comment) ?? '',
    );
    const tags = [...others, ...(ownText?.tags ?? [])];
    if (!description && tags.length === 0) return NO_COMMENT;
    return commentOf(
      description,
      tags.map((tag) => ({ name: tag.tagName.text, text: ts.getTextOfJSDocComment(tag.comment) ?? '' })),
    );
  }

  /** The `@param` tag of a parameter, and the tags up to the next one. */
  #tagsOf(parameter: ts.ParameterDeclaration): readonly ts.JSDocTag[] {
    const { ts } = this;
    if (!ts.isIdentifier(parameter.name)) return [];
    const { text } = parameter.name;
    const { parent } = parameter;
    const own = ts.getJSDocTags(parent);
    const [first] = ts.isMethodDeclaration(parent) ? this.#overloadsOf(parent) : [];
    const tags = own.length > 0 || !first ? own : ts.getJSDocTags(first);
    const from = tags.findIndex(
      (tag) => ts.isJSDocParameterTag(tag) && ts.isIdentifier(tag.name) && tag.name.text === text,
    );
    if (from < 0) return [];
    const after = tags.slice(from + 1);
    const to = after.findIndex((tag) => ts.isJSDocParameterTag(tag) || ts.isJSDocReturnTag(tag));
    const isLast = !after.some(ts.isJSDocParameterTag);
    const others = after.slice(0, to < 0 ? undefined : to).filter((tag) => !isLast || !ts.isJSDocDeprecatedTag(tag));
    return [tags[from]!, ...others];
  }
}

function commentOf(description: string, tags: readonly Tag[]): ValueComment {
  const keywords: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { name, text } of tags) {
    const keyword: Keyword | undefined = keywordOf(name, text.trim());
    if (keyword?.problem !== undefined) problems.push(keyword.problem);
    else if (keyword?.name === 'examples')
      keywords['examples'] = [
        ...((keywords['examples'] as unknown[] | undefined) ?? []),
        ...(keyword.value as unknown[]),
      ];
    else if (keyword) keywords[keyword.name] = keyword.value;
  }
  return { ...(description && { description }), keywords, problems };
}

/** A text on one line for each paragraph or item of a list, without the dash after the name of a parameter. */
function textOf(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/^\s*-\s+/, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/[ \t]*\n[ \t]*(?![-*\d\s])/g, ' ').trim())
    .filter(Boolean)
    .join('\n\n');
}
