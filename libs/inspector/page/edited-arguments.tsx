import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from './parts.js';

interface EditedArgumentsProps {
  /** The name of the tool. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Other arguments of a call: the text that the tool gets. */
export function EditedArguments({ name, value, onChange }: EditedArgumentsProps): JSX.Element {
  const isObject = isObjectText(value);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Field label={`New arguments of ${name}`}>
      {(id) => (
        <>
          <textarea
            id={id}
            ref={box}
            class="code"
            aria-invalid={!isObject}
            rows={5}
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {!isObject && <p class="error">This is no JSON object yet, such as {'{"city": "Paris"}'}.</p>}
        </>
      )}
    </Field>
  );
}

/** Whether a text is a JSON object, as arguments have to be. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
