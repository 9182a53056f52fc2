import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type FormSchema, titleOf } from './form-schema.js';
import { CodeField, Field } from './parts.js';

/** A value of a form. */
export interface FormProps {
  readonly schema: FormSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A value inside of a form. */
export interface InnerProps extends FormProps {
  readonly root: FormSchema;
  readonly label: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

const NOTHING = '';

/** Takes the place of a value while its text is no JSON. What a reload keeps has no such value. */
const NOT_JSON: unknown = Object.freeze({ toJSON: () => undefined });

/** Whether all texts of a form are what they are to be, so that what runs is what one reads. */
export function isComplete(value: unknown): boolean {
  if (value === NOT_JSON) return false;
  return typeof value !== 'object' || value === null || Object.values(value).every(isComplete);
}

/** One of several values. */
export function Choice({
  options,
  value,
  onChange,
  ...props
}: InnerProps & { options: readonly unknown[] }): JSX.Element {
  const at = options.findIndex((option) => option === value);
  return (
    <Field label={titleOf(props)}>
      {(id) => (
        <select
          id={id}
          value={at < 0 ? NOTHING : String(at)}
          onChange={({ currentTarget: { value: index } }) =>
            onChange(index === NOTHING ? undefined : options[Number(index)])
          }
        >
          <option value={NOTHING}>(none)</option>
          {options.map((option, index) => (
            <option value={String(index)} key={index}>
              {String(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A number. */
export function NumberInput({ value, onChange, step, ...props }: InnerProps & { step: number | 'any' }): JSX.Element {
  const { minimum, maximum } = props.schema;
  return (
    <Field label={titleOf(props)}>
      {(id) => (
        <input
          id={id}
          type="number"
          step={step}
          {...(minimum !== undefined && { min: minimum })}
          {...(maximum !== undefined && { max: maximum })}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : Number(text))}
        />
      )}
    </Field>
  );
}

const INPUT_TYPES: Readonly<Record<string, string>> = { date: 'date', time: 'time', email: 'email', uri: 'url' };

/** A text, or a date as text. */
export function TextInput({ value, onChange, ...props }: InnerProps): JSX.Element {
  const { format = '' } = props.schema;
  const isDateTime = format === 'date-time';
  const hint = isDateTime ? ' (such as 2026-01-31T12:00:00Z)' : '';
  return (
    <Field label={titleOf(props) + hint}>
      {(id) => (
        <input
          id={id}
          {...({ type: INPUT_TYPES[format] ?? 'text' } as object)}
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget: { value: text } }) =>
            onChange(text === '' && !props.isRequired ? undefined : text)
          }
        />
      )}
    </Field>
  );
}

/** A value as JSON text, for what no form can show. */
export function JsonText({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}): JSX.Element {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [error, setError] = useState('');
  const change = (given: string): void => {
    setText(given);
    try {
      onChange(given.trim() === '' ? undefined : JSON.parse(given));
      setError('');
    } catch {
      onChange(NOT_JSON);
      setError('This is not valid JSON yet.');
    }
  };
  return <CodeField label={label} value={text} onChange={change} error={error} />;
}
