import { AsyncLocalStorage } from 'node:async_hooks';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { refusalOf } from '../tools/call-failure.js';
import type { ElicitationHandler } from './mcp-session.js';

/** A call that is running. */
interface RunningCall {
  readonly handler: ElicitationHandler;
}

/**
 * The running calls of a connection, to which questions of a server belong.
 *
 * A question over HTTP arrives in the stream of its call, and so in the asynchronous context of the
 * call. Over stdio all messages share one pipe: a question can only be assigned if one call runs,
 * and none was given up before. A wrong assignment would show the question to another user of the
 * application.
 */
export class Elicitations {
  readonly #running = new Set<RunningCall>();
  static readonly #context = new AsyncLocalStorage<RunningCall>();
  #whenIdle: (() => void) | undefined;
  /** Whether a call was given up, so that the server may still ask its user. */
  #hasGivenUp = false;

  get areIdle(): boolean {
    return this.#running.size === 0;
  }

  async run<T>(handler: ElicitationHandler, call: () => Promise<T>): Promise<T> {
    const running: RunningCall = { handler };
    this.#running.add(running);
    try {
      return await Elicitations.#context.run(running, call);
    } catch (error) {
      // An error with a number is the answer of the server: the call has ended there too.
      if (!refusalOf(error)) this.#hasGivenUp = true;
      throw error;
    } finally {
      this.#running.delete(running);
      if (this.areIdle) this.#whenIdle?.();
    }
  }

  /** Answers a question of the server. */
  async answer(params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    const inContext = Elicitations.#context.getStore();
    const known = inContext && this.#running.has(inContext) ? inContext : undefined;
    const [only] = this.#running;
    const call = known ?? (this.#running.size === 1 && !this.#hasGivenUp ? only : undefined);
    if (!call) return { action: 'cancel' };
    try {
      return await call.handler(params, signal);
    } catch {
      // The server must not read why.
      return { action: 'cancel' };
    }
  }

  /** Calls a function as soon as no call runs. */
  onIdle(done: () => void): void {
    if (this.areIdle) done();
    else this.#whenIdle = done;
  }
}
