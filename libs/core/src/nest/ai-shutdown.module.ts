import { Injectable, Logger, Module, type OnModuleDestroy, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RunningTurns } from '../model/running-turns.js';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { setTimeout } from 'node:timers/promises';

/** How often to check the connections, in milliseconds. */
const INTERVAL = 10;

/** How long to wait for responses that are about to end, in milliseconds. Microservices do not tell what is yet to be sent. */
const FLUSH_TIME = { least: 50, most: 200 };

/**
 * Closes the HTTP connections of an application that shuts down.
 *
 * When a server closes, it closes the connections that are idle at that moment. A connection whose
 * response ends a moment later stays open for its keep-alive time (72 seconds on Fastify) and
 * delays the shutdown.
 */
class ClosingConnections {
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
    let waited = FLUSH_TIME.least;
    await setTimeout(waited);
    const server = this.#server;
    if (!server) return;
    const count = promisify(server.getConnections.bind(server));
    for (; waited < FLUSH_TIME.most && (await count()) > 0; waited += INTERVAL) await setTimeout(INTERVAL);
  }
}

/** How long the application waits at shutdown, in milliseconds. */
export interface ShutdownTimes {
  /** For running turns to finish. */
  readonly drain: number;
  /** For tools that still run after their turns were aborted. */
  readonly tools: number;
}

/** Ends running turns when the application shuts down. */
@Injectable()
export class AiShutdown implements OnModuleDestroy {
  private readonly logger = new Logger('AiModule');
  readonly turns = new RunningTurns();
  #times: ShutdownTimes = { drain: 0, tools: 0 };

  constructor(@Optional() private readonly adapterHost?: HttpAdapterHost) {}

  /** Sets the times. If called several times, the longest ones apply. */
  waitAtMost({ drain, tools }: ShutdownTimes): void {
    this.#times = { drain: Math.max(this.#times.drain, drain), tools: Math.max(this.#times.tools, tools) };
  }

  /**
   * Nest closes the HTTP server after this hook and then waits for its connections. So this hook:
   *
   * 1. refuses new requests and lets running turns finish,
   * 2. aborts the turns that still run and waits for their tools,
   * 3. waits until the responses are sent, and closes their connections.
   */
  async onModuleDestroy(): Promise<void> {
    const connections = new ClosingConnections(this.adapterHost?.httpAdapter?.getHttpServer());
    connections.announce();
    const hasTurns = !this.turns.areIdle;
    await this.#drain();
    await this.#abort();
    connections.closeWhenIdle();
    if (hasTurns) await connections.flush();
  }

  async #drain(): Promise<void> {
    const { drain } = this.#times;
    const left = await this.turns.drain(drain);
    if (left === 0 || drain === 0) return;
    const subject = left === 1 ? 'A turn still ran' : `${left} turns still ran`;
    this.logger.warn(
      `${subject} ${drain} ms after the application began to shut down, and ${left === 1 ? 'is' : 'are'} aborted. To give turns more ` +
        'time, raise ai.shutdown.drain-timeout.',
    );
  }

  async #abort(): Promise<void> {
    const { tools } = this.#times;
    const left = await this.turns.close(tools);
    if (left === 0) return;
    this.logger.warn(
      `${left} tool ${left === 1 ? 'call' : 'calls'} still ran ${tools} ms after the turns were aborted. Pass the signal of ToolContext to ` +
        'everything that your tools wait for, or raise ai.tools.shutdown-timeout.',
    );
  }
}

/**
 * Not global: Nest shuts down global modules last, but tools may need other modules until their
 * turns have ended.
 */
@Module({ providers: [AiShutdown], exports: [AiShutdown] })
export class AiShutdownModule {}
