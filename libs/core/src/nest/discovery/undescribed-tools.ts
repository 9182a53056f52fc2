import { describeName } from '../../model/tool-definition.js';
import type { ToolRegistration } from './tool-registration.js';

/** How many tools the line names. */
const MAX_NAMED = 5;

/** The line about tools without a description. Undefined if there are none. */
export function undescribedText(tools: readonly ToolRegistration[]): string | undefined {
  const names = tools.filter(({ name, description }) => description === describeName(name)).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const more = names.length - MAX_NAMED;
  const named = [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return (
    `Tools without a description: ${named}. The model knows only the words of their names. Say what each does and ` +
    "when to use it: @Tool({ description: '…' }), or with the compiler plugin a comment above the method."
  );
}
