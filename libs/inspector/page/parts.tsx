import { Component, type ComponentChildren, createElement, type FunctionComponent, type JSX } from 'preact';
import { useEffect, useErrorBoundary, useId, useRef, useState } from 'preact/hooks';

const PREVIEW = 2000;
/** How many lines are shown without scrolling. */
const SHORT = 20;

interface LongTextProps {
  readonly text: string;
  readonly label: string;
  readonly isCode?: boolean;
}

/** A long text, of which the beginning is shown first. It is only ever text. */
export function LongText({ text, label, isCode = false }: LongTextProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > PREVIEW;
  const shown = isLong && !isWhole ? `${text.slice(0, PREVIEW)}…` : text;
  // Only what scrolls needs the keyboard.
  const scrolls = shown.length >= PREVIEW || shown.split('\n').length > SHORT;
  return (
    <div class="text">
      <pre class={isCode ? 'code' : ''} {...(scrolls && { tabIndex: 0 })} role="group" aria-label={label}>
        {shown}
      </pre>
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </button>
      )}
    </div>
  );
}

/** A component that is drawn again only if one of its properties is another. */
export function memo<Props extends object>(drawn: FunctionComponent<Props>): FunctionComponent<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const keys = Object.keys({ ...this.props, ...next }) as (keyof Props)[];
      return keys.some((key) => this.props[key] !== next[key]);
    }
    override render(): JSX.Element {
      return createElement(drawn, this.props);
    }
  } as unknown as FunctionComponent<Props>;
}

export function ErrorText({ text }: { text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p role="alert" class="error">
      {text}
    </p>
  );
}

/** What cannot be shown does not take the rest of the page with it. */
export function Bounded({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  const [failure] = useErrorBoundary();
  if (failure === undefined) return <>{children}</>;
  return <ErrorText text={`${name} cannot be shown: ${String(failure)}`} />;
}

/** Takes the place of what is loaded. */
export function Loading(): JSX.Element {
  return (
    <p role="status" class="loading">
      <span class="hidden">Loading…</span>
    </p>
  );
}

/** Why a value is not there, or not as it is now. */
export function NotLoaded({ of: { value, error } }: { of: { readonly value?: unknown; readonly error: string } }) {
  return value === undefined && error === '' ? <Loading /> : <ErrorText text={error} />;
}

/** How many things the user may not see. */
export function Hidden({ number, noun }: { number: number; noun: string }): JSX.Element | null {
  return number === 0 ? null : (
    <p class="hint">
      Hidden: {count(number, noun)} of other users. To see them, act as these users (the option impersonate), or allow
      the action read in your ApprovalPolicy.
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

interface ControlProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A labelled choice, of values or of values with their texts. `all`: what choosing nothing means. */
export function SelectField({
  label,
  value,
  onChange,
  options,
  all,
}: ControlProps & { options: readonly string[] | Readonly<Record<string, string>>; all?: string }): JSX.Element {
  const texts = Array.isArray(options)
    ? (options as readonly string[]).map((option) => [option, option] as const)
    : Object.entries(options);
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {all !== undefined && <option value="">{all}</option>}
          {texts.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A labelled text. */
export function TextField({ label, value, onChange }: ControlProps): JSX.Element {
  return (
    <Field label={label}>
      {(id) => <input id={id} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />}
    </Field>
  );
}

/** A labelled text of several lines. */
export function AreaField({ label, value, onChange }: ControlProps): JSX.Element {
  return (
    <Field label={label}>
      {(id) => (
        <textarea id={id} rows={2} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
    </Field>
  );
}

interface CodeFieldProps extends ControlProps {
  /** What is wrong with the text. Empty if nothing is. */
  readonly error: string;
  readonly hasFocus?: boolean;
  readonly rows?: number;
}

/** A labelled JSON text. */
export function CodeField({ label, value, onChange, error, hasFocus = false, rows = 6 }: CodeFieldProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (hasFocus) box.current?.focus();
  }, []);
  return (
    <Field label={label}>
      {(id) => (
        <>
          <textarea
            id={id}
            ref={box}
            class="code"
            aria-invalid={error !== ''}
            rows={rows}
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {error && <p class="error">{error}</p>}
        </>
      )}
    </Field>
  );
}

export function Badge({ text, kind = '' }: { text: string; kind?: string }): JSX.Element {
  return <span class={`badge ${kind}`}>{text}</span>;
}

const STATUSES: Readonly<Record<string, { readonly kind: string; readonly text?: string; readonly title?: string }>> = {
  running: { kind: 'runs' },
  suspended: { kind: 'waits', text: 'waiting' },
  completed: { kind: 'good' },
  stopped: { kind: 'waits' },
  failed: { kind: 'bad' },
  lost: { kind: 'bad', title: 'It waited in memory, and the application has ended.' },
};

/** The status of a turn, as text and color. */
export function Status({ status }: { status: string }): JSX.Element {
  const { kind, text = status, title } = STATUSES[status] ?? { kind: '' };
  return (
    <span class={`badge ${kind}`} title={title}>
      {text}
    </span>
  );
}

/** What a tool may do. What cannot be undone is said in words. */
export function Effect({ effect }: { effect: string }): JSX.Element {
  return <Badge text={effect} kind={effect} />;
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

/** The chat is still there, without being seen, when a turn of it is shown beside the list. */
export function focusOn(turn: { readonly id: string } | undefined): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-turn]')];
  all.find(({ dataset, offsetParent }) => dataset['turn'] === turn?.id && offsetParent)?.focus();
}
