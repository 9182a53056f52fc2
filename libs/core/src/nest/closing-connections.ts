import { type Server } from 'node:http';
import { promisify } from 'node:util';
import { setTimeout } from 'node:timers/promises';

/** How often connections are looked at, in milliseconds. */
const INTERVAL = 10;

/** How long responses that are about to end are waited for, in milliseconds. */
const FLUSH_TIME = 200;

/**
 * Lets go of the HTTP connections of an application that ends.
 *
 * A server that is closed closes the connections which are idle at that moment. One whose response ends a moment later waits out its
 * keep-alive, on Fastify 72 seconds, and the application with it.
 */
export class ClosingConnections {
  readonly #server: Server | undefined;

  /** @param server of the application, if it has one */
  constructor(server: unknown) {
    const { listening, closeIdleConnections } = (server ?? {}) as Partial<Server>;
    // An application may have a server of another kind, such as one for HTTP/2, which has no idle connections.
    if (listening && typeof closeIdleConnections === 'function') this.#server = server as Server;
  }

  /** Tells clients, with each response that begins from now on, to make no other request on its connection. */
  announce(): void {
    this.#server?.prependListener('request', ({ httpVersionMajor }, response) => {
      // HTTP/2 knows no such header.
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

  /** Waits for responses that are about to end, for a short time: others may stay open for as long as they like. */
  async flush(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const count = promisify(server.getConnections.bind(server));
    for (let waited = 0; waited < FLUSH_TIME && (await count()) > 0; waited += INTERVAL) await setTimeout(INTERVAL);
  }
}
