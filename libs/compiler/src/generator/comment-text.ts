import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** The text of a comment or tag, with the texts of its links. */
export function textOfNodes(ts: TypeScript, comment: ts.JSDoc['comment']): string {
  if (comment === undefined || typeof comment === 'string') return plainText(comment);
  // As it is written: TypeScript would separate the name of `{@link run()}` from its parentheses.
  const textOf = (part: ts.JSDocComment): string =>
    part.kind === ts.SyntaxKind.JSDocText ? part.text : part.getText().replaceAll(/\n\s*\*/g, '\n');
  return plainText(comment.map(textOf).join(''));
}

/** The same for what TypeScript says of a symbol, which may have inherited its comment. */
export function textOfParts(parts: readonly ts.SymbolDisplayPart[] = []): string {
  // TypeScript separates the name of something that it finds, and leaves others to us.
  return plainText(parts.map(({ kind, text }) => (kind === 'linkName' ? `${text} ` : text)).join(''));
}

function plainText(written = ''): string {
  const text = written.replaceAll(/\{@link(?:code|plain)?\s+([^}]+)\}/g, (_all, link: string) => labelOf(link));
  // The end of a comment inside of a comment.
  return text.replaceAll('*\\/', '*/');
}

/** `Name | text`, `Name text`, or a name only. */
function labelOf(link: string): string {
  const [name = '', ...texts] = link.split('|');
  const label = texts.length > 0 ? texts.join('|').trim() : /^\S+\s+(\S.*)$/s.exec(name.trim())?.[1];
  return label || name.trim();
}

/** A line that does not continue the one before: an item of a list, a heading, a row of a table. */
const OWN_LINE = /^(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|\|)/;

/** One line for each paragraph and each item of a list. Code stays as it is. */
export function linesOf(text: string): string {
  const lines: string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const words = line.trim();
    const isFence = words.startsWith('```');
    if (isOpen && !isCode && !isFence && words !== '' && !OWN_LINE.test(words)) {
      lines.push(`${lines.pop()} ${words}`);
      continue;
    }
    if (words !== '' || isCode || lines.at(-1) !== '') lines.push(line.trimEnd());
    if (isFence) isCode = !isCode;
    isOpen = !isCode && !isFence && words !== '';
  }
  return lines.join('\n').trim();
}
