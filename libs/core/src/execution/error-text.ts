import { sep } from 'node:path';
import { ToolInputException } from '../tool/input/tool-input.js';
import { messageOf } from '../model/message-of.js';
import { ToolExecutionException } from '../tool/tool-execution.exception.js';
import { ToolBusyException } from './concurrency-keys.js';
import { ToolRateLimitException } from './tool-rate-limit.js';
import { ToolTimeoutException } from './with-timeout.js';

const STACK_LINE = /^\s+at .+$|^Require stack:$|^- \/.+$/;

/**
 * The message of an error as the model may read it: without a stack that somebody has put into it, the place where the
 * application is installed, and the directory of a file that could not be read.
 */
export function toldMessage(error: ToolExecutionException): string {
  const lines = (violationsOf(error.cause) ?? error.message).split(/\r?\n/).filter((line) => !STACK_LINE.test(line));
  let text = lines.join('\n').replaceAll(process.cwd() + sep, '');
  for (const place of placesOf(error.cause)) text = text.replaceAll(place, place.split(/[\\/]/).at(-1)!);
  return text;
}

/** What a `ValidationPipe` has found wrong: its exception has it in the response, and nothing in the message. */
function violationsOf(cause: unknown): string | undefined {
  const { getResponse } = (cause ?? {}) as { getResponse?: () => unknown };
  if (typeof getResponse !== 'function') return undefined;
  const { message } = (getResponse.call(cause) ?? {}) as { message?: unknown };
  return Array.isArray(message) ? message.map(String).join('; ') : undefined;
}

/** How many causes are looked at. */
const MAX_DEPTH = 8;

/** The files that an error of the operating system names, also where it is the cause of another. */
function placesOf(thrown: unknown, depth = 0): string[] {
  if (typeof thrown !== 'object' || thrown === null || depth > MAX_DEPTH) return [];
  const { syscall, path, dest, cause } = thrown as Record<string, unknown>;
  const own = syscall === undefined ? [] : [path, dest];
  return [...own.filter((place) => typeof place === 'string'), ...placesOf(cause, depth + 1)];
}

/** What an error says to whoever called the tool; undefined when it was not meant for anybody outside. */
export function publicMessage(error: ToolExecutionException): string | undefined {
  const { cause } = error;
  if (!error.isWrapped || isOfOurs(cause)) return error.message;
  const { getStatus, getResponse } = (cause ?? {}) as { getStatus?: unknown; getResponse?: () => unknown };
  if (typeof getStatus !== 'function' || typeof getResponse !== 'function') return undefined;
  const response = getResponse.call(cause) as { message?: unknown } | string | null;
  const message = typeof response === 'object' ? response?.message : response;
  return violationsOf(cause) ?? (typeof message === 'string' ? message : messageOf(cause));
}

function isOfOurs(cause: unknown): boolean {
  return (
    cause instanceof ToolInputException ||
    cause instanceof ToolExecutionException ||
    cause instanceof ToolTimeoutException ||
    cause instanceof ToolBusyException ||
    cause instanceof ToolRateLimitException
  );
}
