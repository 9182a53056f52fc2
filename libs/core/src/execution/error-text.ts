import { sep } from 'node:path';
import { messageOf, readSafely, ToolInputException } from '@nestor-ai/schema';
import type { ContentRedactor } from '../model/content-redactor.js';
import { errorTypeOf, framesOf } from '../model/error-type.js';
import { redacted } from '../observability/redacted.js';
import {
  causeOf,
  isA,
  statusOf,
  ToolExecutionException,
  ToolUnavailableException,
} from '../tool/tool-execution.exception.js';
import { ToolBusyException } from './concurrency-keys.js';
import { ToolRateLimitException } from './tool-rate-limit.js';
import { UntrustedContentException } from './trust/untrusted-content.exception.js';
import { ToolTimeoutException } from './with-timeout.js';

const STACK_LINE = /^\s+at .+$|^Require stack:$|^- \/.+$/;

/**
 * The message of an error for the model, without stack traces, the installation path, and the
 * directories of files that could not be read.
 */
export function toldMessage(error: ToolExecutionException): string {
  const lines = (violationsOf(causeOf(error)) ?? messageOf(error))
    .split(/\r?\n/)
    .filter((line) => !STACK_LINE.test(line));
  let text = lines.join('\n').replaceAll(process.cwd() + sep, '');
  for (const place of placesOf(causeOf(error))) text = text.replaceAll(place, place.split(/[\\/]/).at(-1)!);
  return text;
}

/**
 * The violations from a `ValidationPipe`. Its exception has them in the response, not in the
 * message.
 */
function violationsOf(cause: unknown): string | undefined {
  return readSafely(() => {
    const { message } = (responseOf(cause) ?? {}) as { message?: unknown };
    return Array.isArray(message) ? message.map(String).join('; ') : undefined;
  });
}

/** The response of an `HttpException`. */
function responseOf(cause: unknown): unknown {
  return readSafely(() => {
    const { getResponse } = (cause ?? {}) as { getResponse?: () => unknown };
    return typeof getResponse === 'function' ? getResponse.call(cause) : undefined;
  });
}

/** The most causes to follow. */
const MAX_DEPTH = 8;

/** The file paths in a system error, or in one of its causes. */
function placesOf(thrown: unknown, depth = 0): string[] {
  if (typeof thrown !== 'object' || thrown === null || depth > MAX_DEPTH) return [];
  const own = readSafely(() => {
    const { syscall, path, dest } = thrown as Record<string, unknown>;
    return syscall === undefined ? [] : [path, dest].filter((place) => typeof place === 'string');
  });
  return [...(own ?? []), ...placesOf(causeOf(thrown), depth + 1)];
}

/**
 * An error of a tool for its developer: messages and stacks, also of its causes. A message may
 * contain parts of the conversation.
 */
export function errorForLog(error: unknown, redactor: ContentRedactor | undefined, toolName: string): string {
  const shown: string[] = [];
  let cause = error;
  do {
    const message = redacted(redactor, messageOf(cause), { sink: 'log', kind: 'error', toolName });
    shown.push([`${errorTypeOf(cause)}: ${message}`, framesOf(cause)].filter(Boolean).join('\n'));
    cause = causeOf(cause);
  } while (cause !== undefined && shown.length <= MAX_DEPTH);
  return shown.join('\nCaused by ');
}

/** The message of an error for callers outside. Undefined if the error was not meant for them. */
export function publicMessage(error: ToolExecutionException): string | undefined {
  const cause = causeOf(error);
  if (!error.isWrapped || OURS.some((type) => isA(cause, type))) return messageOf(error);
  const response = responseOf(cause);
  if (statusOf(cause) === undefined || response === undefined) return undefined;
  const message = readSafely(() =>
    typeof response === 'object' ? (response as { message?: unknown }).message : response,
  );
  return violationsOf(cause) ?? (typeof message === 'string' ? message : messageOf(cause));
}

/** Errors whose messages are written for the model. */
const OURS: readonly (abstract new (...args: never[]) => Error)[] = [
  ToolInputException,
  ToolExecutionException,
  ToolTimeoutException,
  ToolBusyException,
  ToolRateLimitException,
  ToolUnavailableException,
  UntrustedContentException,
];
