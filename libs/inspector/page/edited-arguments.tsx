import type { JSX } from 'preact';
import { CodeField } from './parts.js';

interface EditedArgumentsProps {
  /** The name of the tool. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Other arguments of a call: the text that the tool gets. */
export function EditedArguments({ name, value, onChange }: EditedArgumentsProps): JSX.Element {
  return (
    <CodeField
      label={`New arguments of ${name}`}
      value={value}
      onChange={onChange}
      error={isObjectText(value) ? '' : 'This is no JSON object yet, such as {"city": "Paris"}.'}
      hasFocus
    />
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
