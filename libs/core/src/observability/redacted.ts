import { isPromise } from '../model/awaitable.js';
import type { ContentPlace, ContentRedactor } from '../model/content-redactor.js';
import { logOnce } from './safely.js';
import { spelledOut } from './spelled-out.js';

/** Replaces content whose redaction failed. */
export const NOT_SHOWN = '[not shown]';

/**
 * Redacts content before it is shown. If the redactor throws or does not return a string, the
 * result is {@link NOT_SHOWN}, and the error is logged once.
 *
 * @param redactor undefined if everything may be shown
 */
export function redacted(redactor: ContentRedactor | undefined, text: string, place: ContentPlace): string {
  if (!redactor) return text;
  try {
    return redact(redactor, text, place);
  } catch (error) {
    logOnce(error, redactor);
    return NOT_SHOWN;
  }
}

/**
 * Like {@link redacted}, but rethrows errors.
 *
 * @throws the error of the redactor, or TypeError when it does not return a string
 */
export function redact(redactor: ContentRedactor, text: string, place: ContentPlace): string {
  const shown: unknown = redactor.redact(spelledOut(text, place.kind), place);
  if (typeof shown === 'string') return shown;
  // Avoid an unhandled rejection of the ignored promise.
  if (isPromise(shown)) shown.catch(() => undefined);
  throw new TypeError('redact() must return a string, synchronously.');
}
