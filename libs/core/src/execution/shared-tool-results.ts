import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { contentJson } from '@nestor-ai/schema';
import { errorTypeOf, nameOrOther } from '../model/error-type.js';
import { isResultLike } from '../model/tool-result.js';
import { fromStoredResult, toStoredResult } from './stored-result.js';
import type { ToolResultClaim, ToolResultStore } from './tool-result-store.js';

/**
 * How long a process may compute a result before another one computes it, too, in milliseconds.
 * Also the longest wait for the result of another process.
 */
const LEASE = 10_000;

/** How often a process looks for a result that another one computes, in milliseconds. */
const POLL = 100;

const logger = new Logger('ToolResultStore');

/** Whether a result reports a failure, which is not kept. */
export function isFailure(result: unknown): boolean {
  return isResultLike(result) && result.isError === true;
}

/** The results of one tool that all processes share. */
export class SharedToolResults {
  /** The keys that this process looks for or computes now. */
  readonly #running = new Set<string>();
  readonly #warned = new Set<string>();
  #isStoreDown = false;

  /**
   * @param identity tells the tool from all others, in every process
   * @param ttl how long a result is kept, in milliseconds
   */
  constructor(
    private readonly store: ToolResultStore,
    private readonly toolName: string,
    private readonly identity: string,
    private readonly ttl: number,
  ) {}

  /**
   * The stored result for a key, the result that another process computes now, or a new one. If the
   * store fails, or the key or the result is not plain data, the tool just runs. It also just runs
   * if this process computes the result already, such as around this call.
   *
   * @param key all that the result depends on
   * @param run computes a missing result
   * @param signal aborted when the call is given up
   */
  async get(key: readonly unknown[], run: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    const storeKey = this.#storeKeyOf(key);
    if (storeKey === undefined || this.#running.has(storeKey)) return run();
    this.#running.add(storeKey);
    try {
      return await this.#findOrCompute(storeKey, run, signal);
    } finally {
      this.#running.delete(storeKey);
    }
  }

  async #findOrCompute(key: string, run: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    const found = await this.#findOrClaim(key, signal);
    if (found && 'result' in found) return found.result;
    try {
      signal.throwIfAborted();
      const result = await run();
      if (!isFailure(result)) await this.#keep(key, result);
      return result;
    } finally {
      if (found) await this.#attempt(() => found.release());
    }
  }

  #storeKeyOf(key: readonly unknown[]): string | undefined {
    try {
      return createHash('sha256')
        .update(contentJson([this.identity, key]))
        .digest('hex');
    } catch {
      this.#warnOnce('its arguments, its tool context or the request of its caller are not plain data');
      return undefined;
    }
  }

  /** Undefined if the tool must run without a claim. */
  async #findOrClaim(key: string, signal: AbortSignal): Promise<{ result: unknown } | ToolResultClaim | undefined> {
    return this.#attempt(async () => {
      const end = performance.now() + LEASE;
      for (;;) {
        const known = await this.#find(key);
        if (known) return known;
        const claim = await this.store.claim(key, LEASE);
        if (claim) {
          // Another process may have stored it before this one got the claim.
          const stored = await this.#find(key);
          if (stored) await claim.release();
          return stored ?? claim;
        }
        if (signal.aborted || performance.now() >= end) return undefined;
        await sleep(POLL, undefined, { signal }).catch(() => undefined);
      }
    });
  }

  async #find(key: string): Promise<{ result: unknown } | undefined> {
    const json = await this.store.get(key);
    return json === undefined ? undefined : { result: fromStoredResult(json) };
  }

  async #keep(key: string, result: unknown): Promise<void> {
    const json = toStoredResult(result);
    if (json === undefined) this.#warnOnce('a result is not plain data');
    else await this.#attempt(() => this.store.set(key, json, Math.ceil(this.ttl)));
  }

  /** A store that fails is a miss. Warns once until the store works again. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#isStoreDown = false;
      return done;
    } catch (error) {
      if (!this.#isStoreDown) {
        logger.warn(
          `The results of the tool '${nameOrOther(this.toolName)}' are not shared with other processes until its ` +
            `ToolResultStore works again (${errorTypeOf(error)}). Its calls run. Check the store.`,
        );
      }
      this.#isStoreDown = true;
      return undefined;
    }
  }

  #warnOnce(reason: string): void {
    if (this.#warned.has(reason)) return;
    this.#warned.add(reason);
    logger.warn(
      `Some results of the tool '${nameOrOther(this.toolName)}' are not shared with other processes, since ${reason}. ` +
        'Such results stay in the cache of this process.',
    );
  }
}
