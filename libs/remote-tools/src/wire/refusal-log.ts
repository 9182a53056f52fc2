import type { Logger } from '@nestjs/common';
import { messageOf } from '@nestor-ai/schema';
import { EnvelopeException } from './envelopes.js';

/** The time between two lines with the same reason, in milliseconds. */
const INTERVAL = 60_000;

/**
 * Logs that messages were refused: one line a minute for each reason, since a client of the broker can
 * send any number of them.
 */
export class RefusalLog {
  /** The last lines, by what they said and why. */
  readonly #lines = new Map<string, { readonly at: number; omitted: number }>();

  constructor(private readonly logger: Logger) {}

  /** @param what what did not happen: a sentence without anything of the message */
  warn(what: string, error: unknown): void {
    const key = error instanceof EnvelopeException ? `${what} ${error.problem}` : what;
    const last = this.#lines.get(key);
    const now = Date.now();
    if (last && Math.abs(now - last.at) < INTERVAL) {
      last.omitted++;
      return;
    }
    this.#lines.set(key, { at: now, omitted: 0 });
    const omitted = last?.omitted ? ` Since the last such line, ${last.omitted} more messages were refused.` : '';
    this.logger.warn(`${what} ${messageOf(error)}${omitted}`);
  }
}
