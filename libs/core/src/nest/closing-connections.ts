import { type Server } from 'node:http';
import { promisify } from 'node:util';
import { setTimeout } from 'node:timers/promises';

/** How often to check the connections, in milliseconds. */
const INTERVAL = 10;

/** How long to wait for responses that are about to end, in milliseconds. */
const FLUSH_TIME = 200;

/**
 * Closes the HTTP connections of an application that shuts down.
 *
 * When a server closes, it closes the connections that are idle at that moment. A connection whose
 * response ends a moment later stays open for its keep-alive time (72 seconds on Fastify) and
 * delays the shutdown.
 */
export class ClosingConnections {
  readonly #server: Server | undefined;

  /** @param server the HTTP server of the application, if it has one */
  constructor(server: unknown) {
    const { listening, closeIdleConnections } = (server ?? {}) as Partial<Server>;
    // Other servers, such as those for HTTP/2, have no idle connections.
    if (listening && typeof closeIdleConnections === 'function') this.#server = server as Server;
  }

  /**
   * Adds `Connection: close` to all responses from now on, so that clients don't reuse a
   * connection.
   */
  announce(): void {
    this.#server?.prependListener('request', ({ httpVersionMajor }, response) => {
      // HTTP/2 does not have this header.
      if (httpVersionMajor < 2) response.setHeader('Connection', 'close');
    });
  }

  /** Closes each connection as soon as it is idle, until the server is closed. */
  closeWhenIdle(): void {
    const server = this.#server;
    if (!server) return;
    const timer = setInterval(() => server.closeIdleConnections(), INTERVAL);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Waits a short time for responses that are about to end. Other responses may stay open. */
  async flush(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const count = promisify(server.getConnections.bind(server));
    for (let waited = 0; waited < FLUSH_TIME && (await count()) > 0; waited += INTERVAL) await setTimeout(INTERVAL);
  }
}
