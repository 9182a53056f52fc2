import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';

/** After how long a silent stream sends a comment, in milliseconds. */
const HEARTBEAT = 15_000;

const COMMENT = ': alive\n\n';

/** Sends streams of server-sent events, and ends them when the application shuts down. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  readonly #open = new Set<AbortController>();
  private readonly logger = new Logger('AiTurnsModule');
  #isClosing = false;

  /** Clients connect again, and reach another process. */
  onModuleDestroy(): void {
    this.#isClosing = true;
    for (const leaving of this.#open) leaving.abort();
  }

  /**
   * Sends blocks as the client takes them, until they end or it leaves. Never fails, so a route need not wait.
   *
   * @param make creates the blocks. It must end when the signal aborts
   */
  async send(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    make: (signal: AbortSignal) => AsyncIterable<string>,
  ): Promise<void> {
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    if (this.#isClosing || response.destroyed) leave();
    this.#open.add(leaving);
    response.once('close', leave);
    const heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(COMMENT);
    }, HEARTBEAT).unref();
    try {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.flushHeaders();
      for await (const block of make(leaving.signal)) {
        if (leaving.signal.aborted) break;
        heartbeat.refresh();
        if (!response.write(block)) await once(response, 'drain', { signal: leaving.signal });
      }
    } catch (error) {
      if (!leaving.signal.aborted) this.logger.error(`A stream of a turn ended early: ${errorTypeOf(error)}`);
    } finally {
      clearInterval(heartbeat);
      this.#open.delete(leaving);
      response.off('close', leave);
      response.end();
    }
  }
}
