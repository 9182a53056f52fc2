import type { ArrayLiteralExpression, ObjectLiteralExpression, SourceFile } from 'typescript';

/** Text that replaces the text between two positions. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The width of Nest's Prettier settings. */
const PRINT_WIDTH = 80;

export const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Appends elements to an array: on lines of their own unless all fit on its line. */
export function insertElements(source: SourceFile, array: ArrayLiteralExpression, added: readonly string[]): Edit[] {
  const { elements } = array;
  const start = array.getStart(source);
  const last = elements.at(-1);
  const indent = indentOf(lineAt(source.text, start));
  if (!last) return [insert(array.end - 1, emptyArray(source, array, added))];
  if (source.text.slice(start, elements[0]!.getStart(source)).includes('\n')) {
    const ownIndent = indentOf(lineAt(source.text, last.getStart(source)));
    // A comment at the end of the line belongs to the element before it.
    const comment = /^[^\S\r\n]*(?:\/\/[^\r\n]*|\/\*[^\n]*?\*\/)?/.exec(source.text.slice(elements.end))![0];
    return [
      ...(elements.hasTrailingComma ? [] : [insert(last.end, ',')]),
      insert(elements.end + comment.length, listed(added, ownIndent)),
    ];
  }
  if (hasComments(source, array)) return [insert(last.end, added.map((element) => `, ${element}`).join(''))];
  const all = [...elements.map((element) => element.getText(source)), ...added];
  const oneLine = `[${all.join(', ')}]`;
  const text = fits(source, array, oneLine) ? oneLine : `[${listed(all, `${indent}  `)}\n${indent}]`;
  return [{ start, end: array.end, text }];
}

function emptyArray(source: SourceFile, array: ArrayLiteralExpression, added: readonly string[]): string {
  const oneLine = added.join(', ');
  if (!hasComments(source, array) && fits(source, array, `[${oneLine}]`)) return oneLine;
  const indent = indentOf(lineAt(source.text, array.getStart(source)));
  return `${listed(added, `${indent}  `)}\n${indent}`;
}

/** Whether a line is short enough when an array is replaced by a text. */
function fits(source: SourceFile, array: ArrayLiteralExpression, text: string): boolean {
  const start = array.getStart(source);
  const width = lineAt(source.text, start).length - (array.end - start) + text.length;
  return !text.includes('\n') && width <= PRINT_WIDTH;
}

/** Whether there are comments between the elements. */
function hasComments(source: SourceFile, array: ArrayLiteralExpression): boolean {
  const rest = array.elements.reduce(
    (text, element) => text.replace(element.getText(source), ''),
    array.getText(source),
  );
  return /\/[/*]/.test(rest);
}

/** Adds a list as the first property of the metadata. */
export function insertProperty(
  source: SourceFile,
  metadata: ObjectLiteralExpression,
  name: string,
  added: readonly string[],
): Edit[] {
  const start = metadata.getStart(source);
  const indent = `${indentOf(lineAt(source.text, start))}  `;
  const short = `${name}: [${added.join(', ')}],`;
  const property =
    indent.length + short.length <= PRINT_WIDTH
      ? `${indent}${short}`
      : `${indent}${name}: [${listed(added, `${indent}  `)}\n${indent}],`;
  const inside = source.text.slice(start + 1, metadata.end - 1);
  if (/\n|\/[/*]/.test(inside)) return [insert(start + 1, `\n${property}`)];
  const properties = metadata.properties.map((existing) => `\n${indent}${existing.getText(source)},`).join('');
  return [{ start, end: metadata.end, text: `{\n${property}${properties}\n${indent.slice(2)}}` }];
}

const listed = (elements: readonly string[], indent: string): string =>
  // The further lines of an element move with its first one.
  elements.map((element) => `\n${indent}${element.replaceAll('\n', '\n  ')},`).join('');

const indentOf = (line: string): string => /^[^\S\n]*/.exec(line)![0];

function lineAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const end = text.indexOf('\n', position);
  return text.slice(start, end < 0 ? undefined : end);
}
