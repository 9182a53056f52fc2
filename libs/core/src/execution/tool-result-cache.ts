import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../model/bounded-cache.js';
import { SingleFlight } from '../model/single-flight.js';
import { isPlainObject, stableJson } from '@nestor-ai/schema';
import type { ToolContext } from '../model/tool-context.js';
import { isFailure, type SharedToolResults } from './shared-tool-results.js';

/** The most results to keep per tool. */
const MAX_KEPT = 1000;

/**
 * Keeps the results of a tool for some time. Concurrent equal calls run once. The results that this
 * process has computed are found here first, and then those of all processes.
 */
export class ToolResultCache {
  readonly #results: LRUCache<string, { result: unknown }>;
  readonly #running = new SingleFlight<{ result: unknown }>();

  /**
   * @param ttl how long a result is kept, in milliseconds
   * @param shared the results of all processes
   */
  constructor(
    ttl: number,
    private readonly shared: SharedToolResults | undefined,
  ) {
    this.#results = boundedCache(MAX_KEPT, { ttl: Math.ceil(ttl) });
  }

  /**
   * The cached result for equal arguments and an equal context, the result of an equal running
   * call, or a new one. Failures are neither cached nor shared: each waiting call then runs the
   * tool itself.
   */
  async get(args: unknown, context: ToolContext, run: () => Promise<unknown>): Promise<unknown> {
    // The key contains everything that the tool sees of its caller, so that tenants never share
    // results.
    const { turn, signal } = context;
    const parts = [args, context.context, turn.request, turn.requester];
    const key = stableJson(parts);
    const known = this.#results.get(key);
    if (known) return copyOf(known.result);
    const runAndKeep = async (): Promise<unknown> => {
      const result = await run();
      if (!isFailure(result)) this.#results.set(key, { result: copyOf(result) });
      return result;
    };
    const { shared } = this;
    return this.#running.run(key, {
      run: shared ? () => shared.get(parts, runAndKeep, signal) : runAndKeep,
      share: (result) => (isFailure(result) ? undefined : { result: copyOf(result) }),
      accept: ({ result }) => copyOf(result),
      signal,
    });
  }
}

/**
 * Copies plain data, so that nobody can change the cached one. Class instances are shared: a copy
 * would lose its class.
 */
function copyOf(result: unknown, copies = new Map<unknown, unknown>()): unknown {
  const isPlain = Array.isArray(result) || (typeof result === 'object' && result !== null && isPlainObject(result));
  if (!isPlain || copies.has(result)) return isPlain ? copies.get(result) : result;
  const copy = (Array.isArray(result) ? [...result] : { ...result }) as Record<string, unknown>;
  copies.set(result, copy);
  for (const [key, value] of Object.entries(copy)) copy[key] = copyOf(value, copies);
  return copy;
}
