import ts from 'typescript';

/** The text of the JSDoc comment of a declaration, in one line; undefined when it has none. */
export function commentOf(node: ts.Node): string | undefined {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  const text = ts.getTextOfJSDocComment(comment?.comment);
  return text
    ?.replace(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}
