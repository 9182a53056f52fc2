import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { LongText } from './parts.js';

/** Longer answers are shown as they are. */
const MAX_LENGTH = 50_000;
/** So are those of more lines and marks: a browser needs too long to lay them out. */
const MAX_PARTS = 2000;
/** Text between marks on one line. No mark is read twice, so that no text takes long. */
const MARKS = /(`[^`\n]+`|\*\*[^*\n]+\*\*)/;

/**
 * The answer of a model: paragraphs, headings, lists, code and bold text. Everything else is shown as
 * the model wrote it: no HTML, no images, no links to click. Parsers of all of Markdown need seconds
 * for hostile texts.
 */
export function Markdown({ text, label }: { text: string; label: string }): JSX.Element {
  const blocks = useMemo(() => {
    const isLong = text.length > MAX_LENGTH || text.split(/\n|`|\*\*/).length > MAX_PARTS;
    return isLong ? undefined : blocksOf(text);
  }, [text]);
  if (!blocks) return <LongText text={text} label={label} />;
  return (
    <div class="markdown" role="group" aria-label={label}>
      {blocks}
    </div>
  );
}

function blocksOf(text: string): ComponentChildren {
  const lines = text.split('\n');
  const blocks: JSX.Element[] = [];
  let at = 0;
  /** The lines from here that are of a kind. */
  const take = (isOfKind: (line: string) => boolean): string[] => {
    const begin = at;
    while (at < lines.length && isOfKind(lines[at]!)) at++;
    return lines.slice(begin, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const key = at;
    if (line.startsWith('```')) {
      at++;
      const code = take((one) => !one.startsWith('```'));
      at++;
      blocks.push(<LongText key={key} text={code.join('\n')} label="Code" isCode />);
    } else if (line.startsWith('|')) {
      blocks.push(<LongText key={key} text={take((one) => one.startsWith('|')).join('\n')} label="Table" isCode />);
    } else if (BULLET.test(line)) {
      blocks.push(<ul key={key}>{take((one) => BULLET.test(one)).map(toItem)}</ul>);
    } else if (NUMBER.test(line)) {
      const start = Number.parseInt(line.trim(), 10);
      blocks.push(
        <ol key={key} start={start}>
          {take((one) => NUMBER.test(one)).map(toItem)}
        </ol>,
      );
    } else if (HEADING.test(line)) {
      at++;
      blocks.push(
        <p key={key}>
          <strong>{line.replace(HEADING, '')}</strong>
        </p>,
      );
    } else if (line.trim() === '') {
      at++;
    } else {
      const paragraph = [line, ...(at++, take(isPlain))];
      blocks.push(<p key={key}>{inline(paragraph.join('\n'))}</p>);
    }
  }
  return blocks;
}

const BULLET = /^ {0,8}[-*+] /;
const NUMBER = /^ {0,8}\d{1,9}[.)] /;
const HEADING = /^#{1,6} /;

function isPlain(line: string): boolean {
  return line.trim() !== '' && !/^(?:```|\||#{1,6} )/.test(line) && !BULLET.test(line) && !NUMBER.test(line);
}

function toItem(line: string, index: number): JSX.Element {
  return <li key={index}>{inline(line.replace(/^ *(?:[-*+]|\d+[.)]) /, ''))}</li>;
}

function inline(text: string): ComponentChildren {
  return text.split(MARKS).map((part, index) => {
    // Every second part is between marks.
    if (index % 2 === 0) return part;
    return part.startsWith('`') ? (
      <code key={index}>{part.slice(1, -1)}</code>
    ) : (
      <strong key={index}>{part.slice(2, -2)}</strong>
    );
  });
}
