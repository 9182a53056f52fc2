import { ChatModelException } from '@nestor-ai/core';

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a text can be the name of an HTTP header. */
export function isHeaderName(name: string): boolean {
  return NAME.test(name);
}

/** Whether an HTTP header can carry a text. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/**
 * The headers of a request, unchanged.
 *
 * @throws ChatModelException for a header that HTTP cannot carry. It contains no value, because a
 * value may be secret.
 */
export function requireHeaders<T extends Readonly<Record<string, string | undefined>>>(headers: T): T {
  for (const name in headers) {
    const value: unknown = headers[name];
    if (!isHeaderName(name)) {
      throw new ChatModelException(
        `The option 'headers' contains the name ${JSON.stringify(name.slice(0, 50))}, which is not a name of an HTTP ` +
          'header. Use letters, digits and hyphens only.',
      );
    }
    if (value === undefined || (typeof value === 'string' && isHeaderValue(value))) continue;
    throw new ChatModelException(
      `The header '${name}' in the option 'headers' has a value that HTTP headers cannot carry. Use text without line ` +
        'breaks and with Latin letters only, and encode everything else, for example with encodeURIComponent().',
    );
  }
  return headers;
}
