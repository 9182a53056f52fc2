import type { ServerContext } from '@modelcontextprotocol/server';
import { INVALID_PARAMS, MAX_TOKEN_LENGTH, McpProtocolException } from '../protocol-error.js';

/** The reports of one call that are sent at any pace. Unsent reports for a slow client take memory. */
const MAX_FAST_REPORTS = 100;

/** The time between further reports, in milliseconds. Those in between are left out. */
const MIN_INTERVAL = 100;

/** What a tool may report: numbers, a text, or both. */
interface Report {
  readonly progress?: unknown;
  readonly total?: unknown;
  readonly message?: unknown;
}

/**
 * Sends what a tool reports with `context.reportProgress()` to the client, if it asked for
 * progress. A report is a number, a text, or `{ progress, total, message }`; of anything else, the
 * client only learns that the tool goes on.
 *
 * @throws McpProtocolException if the token that the client gave is too long
 */
export function progressReporter({ mcpReq }: ServerContext): ((value: unknown) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  if (String(progressToken).length > MAX_TOKEN_LENGTH) {
    const reason = `The progress token is longer than ${MAX_TOKEN_LENGTH} characters.`;
    throw new McpProtocolException(INVALID_PARAMS, reason);
  }
  let last = 0;
  let sent = 0;
  let sentAt = 0;
  return (value) => {
    const now = performance.now();
    if (sent >= MAX_FAST_REPORTS && Math.abs(now - sentAt) < MIN_INTERVAL) return;
    sent++;
    sentAt = now;
    const { progress, total, message } = reportOf(value);
    // Each value has to be higher than the one before.
    last = Number.isFinite(progress) && (progress as number) > last ? (progress as number) : last + 1;
    const params = {
      progressToken,
      progress: last,
      ...(Number.isFinite(total) && { total }),
      ...(typeof message === 'string' && { message }),
    };
    // A client that has left needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function reportOf(value: unknown): Report {
  if (typeof value === 'number') return { progress: value };
  if (typeof value === 'string') return { message: value };
  return typeof value === 'object' && value !== null ? value : {};
}
