import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';

const PREVIEW = 2000;

/** A long text, of which the beginning is shown first. It is only ever text. */
export function LongText({ text, label }: { text: string; label: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > PREVIEW;
  return (
    <div class="text">
      <pre tabIndex={0} role="group" aria-label={label}>
        {isLong && !isWhole ? `${text.slice(0, PREVIEW)}…` : text}
      </pre>
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </button>
      )}
    </div>
  );
}

/** JSON text with indentation, if it is JSON. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function ErrorText({ text }: { text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p role="alert" class="error">
      {text}
    </p>
  );
}

/** A labelled control. */
export function Field({
  label,
  children,
}: {
  label: string;
  children: (id: string) => ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

export function Badge({ text, kind = '' }: { text: string; kind?: string }): JSX.Element {
  return <span class={`badge ${kind}`}>{text}</span>;
}

/** The status of a turn, as text and color. */
export function Status({ status }: { status: string }): JSX.Element {
  const kinds: Record<string, string> = { completed: 'good', failed: 'bad', suspended: 'waits', running: 'runs' };
  return <Badge text={status === 'suspended' ? 'waiting' : status} kind={kinds[status] ?? ''} />;
}

export function durationText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '…';
  return milliseconds < 1000
    ? `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** A number with its noun: `1 tool`, `2 tools`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
