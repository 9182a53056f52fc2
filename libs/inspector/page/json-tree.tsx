import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { LongText } from './parts.js';
import { visible } from './visible-text.js';

/** Longer texts, and texts that are no JSON, are shown as they are. */
const MAX_LENGTH = 200_000;
const MAX_ENTRIES = 100;
const OPEN_LEVELS = 2;
const BRIEF = 60;

interface JsonTreeProps {
  readonly text: string;
  readonly label: string;
  readonly title?: string;
  /** Whether somebody decides by it. */
  readonly isExact?: boolean;
}

/** A JSON text as a tree that opens and closes. */
export function JsonTree({ text, label, title, isExact = false }: JsonTreeProps): JSX.Element {
  // A tree cannot show two entries of one name, or a number that JavaScript does not have.
  const value = isExact && !isWhole(text) ? undefined : parsed(text);
  const isTree = typeof value === 'object' && value !== null;
  return (
    <div class="text">
      {title !== undefined && <p class="hint">{title}</p>}
      {isTree ? (
        <div class="tree" role="group" aria-label={label}>
          <Node value={value} level={0} />
          <Copy text={text} />
        </div>
      ) : (
        <LongText text={visible(text)} label={label} isCode />
      )}
    </div>
  );
}

/** Copies a text. Browsers allow it over HTTPS and on localhost alone. */
export function Copy({ text }: { text: string }): JSX.Element | null {
  const [isDone, setDone] = useState(false);
  if (!isSecureContext) return null;
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setDone(true));
  return (
    <button type="button" class="link copy" onClick={copy}>
      {isDone ? 'Copied' : 'Copy'}
    </button>
  );
}

function Node({ name, value, level }: { name?: string; value: unknown; level: number }): JSX.Element {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(MAX_ENTRIES);
  const key = name !== undefined && <span class="key">{visible(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {key}
        <span class={`json ${value === null ? 'null' : typeof value}`}>{visible(JSON.stringify(value))}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return <div>{[key, begin, end]}</div>;
  return (
    <details open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        {key}
        {isOpen ? begin : `${begin}…${end}`} {!isOpen && <span class="hint">{entries.length}</span>}
      </summary>
      {isOpen && (
        <div class="entries">
          {entries.slice(0, shown).map(([entry, item]) => (
            <Node key={entry} {...(!Array.isArray(value) && { name: entry })} value={item} level={level + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + MAX_ENTRIES)}>
              {entries.length - shown} more
            </button>
          )}
          <div>{end}</div>
        </div>
      )}
    </details>
  );
}

/** A JSON text in a few words: `{city: "Paris"}`. */
export function brief(text: string): string {
  const plain = onOneLine(text);
  const line = visible(plain.slice(0, BRIEF + 1).replaceAll(/\s+/g, ' '));
  return plain.length > BRIEF ? `${line.slice(0, BRIEF)}…` : line;
}

/** The beginning. Indented by its depth, a deep value would be millions of characters. */
function onOneLine(text: string): string {
  const json = stringified(parsed(text));
  if (json === undefined) return text;
  return json
    .slice(0, 4 * BRIEF)
    .replaceAll(/("(?:[^"\\]|\\.)*(?:"|$))(:?)|,/g, (token, quoted?: string, colon?: string) =>
      quoted === undefined ? ', ' : colon ? `${quoted.replace(/^"([A-Za-z_$][\w$]*)"$/, '$1')}: ` : token,
    );
}

/** Undefined for what is too deep. */
export function stringified(value: unknown, indent = 0): string | undefined {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return undefined;
  }
}

/** A JSON text on several lines, with invisible characters as JSON writes them. It has the same value. */
export function editable(text: string): string {
  return visible((isWhole(text) && stringified(parsed(text), 2)) || text);
}

/** Whether the value of a text has all that is in the text, but spaces. */
function isWhole(text: string): boolean {
  const dense = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  return stringified(parsed(text)) === dense;
}

/** Undefined for a text that is no JSON, or too long. */
export function parsed(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
