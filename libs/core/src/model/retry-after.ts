import { ChatModelException } from './chat-model.exception.js';

/**
 * The wait that a provider asked for when it failed, in milliseconds. Its headers contain seconds,
 * milliseconds or a date.
 */
export function retryAfterOf(error: unknown): number | undefined {
  const headers = error instanceof ChatModelException ? error.responseHeaders : undefined;
  const milliseconds = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
