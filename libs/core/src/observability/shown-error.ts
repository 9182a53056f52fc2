import type { ContentRedactor } from '../model/content-redactor.js';
import { messageOf, readSafely } from '@nestor-ai/schema';
import { errorTypeOf, framesOf } from './error-type.js';
import { redacted } from './redacted.js';

/** The maximum number of nested causes to show. */
const MAX_CAUSES = 8;

/**
 * The error of a tool for its developer: message, stack and causes. Undefined unless `NODE_ENV` is
 * `development`, because a message may contain parts of the conversation.
 */
export function shownError(
  error: unknown,
  redactor: ContentRedactor | undefined,
  toolName: string,
): string | undefined {
  if (process.env['NODE_ENV'] !== 'development') return undefined;
  const shown: string[] = [];
  for (let cause = error; cause !== undefined && shown.length <= MAX_CAUSES; cause = causeOf(cause)) {
    const message = redacted(redactor, messageOf(cause), { sink: 'log', kind: 'error', toolName });
    shown.push([`${errorTypeOf(cause)}: ${message}`, framesOf(cause)].filter(Boolean).join('\n'));
  }
  return shown.join('\nCaused by ');
}

function causeOf(error: unknown): unknown {
  return readSafely(() => (error as { cause?: unknown }).cause);
}
