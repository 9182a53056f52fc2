/** Fills parameters into a text. */
export type TemplateRenderer = (template: string, params: Readonly<Record<string, unknown>>) => string;

/**
 * Replaces `{name}` in a text by parameters. A text without parameters is not changed, so braces
 * need no escaping.
 *
 * @throws Error that names the placeholder without a parameter
 */
export function renderTemplate(text: string, params: Readonly<Record<string, unknown>>): string {
  if (Object.keys(params).length === 0) return text;
  return text.replace(/\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu, (_match, name: string) => {
    if (!Object.hasOwn(params, name)) {
      throw new Error(
        `The prompt template needs a value for {${name}}, but has: ${Object.keys(params).join(', ')}. Add .param('${name}', …).`,
      );
    }
    const value = params[name];
    return typeof value === 'object' && value !== null && value.toString === Object.prototype.toString
      ? JSON.stringify(value)
      : String(value);
  });
}
