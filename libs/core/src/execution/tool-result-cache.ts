import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../model/single-flight.js';
import { isPlainObject } from '../model/is-plain-object.js';
import type { ToolContext } from '../model/tool-context.js';
import { stableJson } from '../model/stable-json.js';

/** How many results are kept of one tool. */
const MAX_KEPT = 1000;

interface Kept {
  readonly result: unknown;
}

/** Keeps what a tool gave for a while. Equal calls at the same time run once. */
export class ToolResultCache {
  readonly #results: LRUCache<string, Kept>;
  readonly #running = new SingleFlight<Kept>();

  /** @param ttl in milliseconds */
  constructor(ttl: number) {
    this.#results = new LRUCache({ max: MAX_KEPT, ttl: Math.ceil(ttl) });
  }

  /**
   * What the tool gave for equal arguments to a caller in the same position, or gives to one who has asked for the same just now, else what it gives now.
   * A failure is neither kept nor shared: those who wait for it run the tool by themselves.
   *
   * @param isFailure whether a result says that the tool failed
   */
  async get(
    args: unknown,
    context: ToolContext,
    run: () => Promise<unknown>,
    isFailure: (result: unknown) => boolean,
  ): Promise<unknown> {
    // Whatever the tool may see of its caller is part of the question: one tenant must not get another's answer.
    const key = stableJson([args, context.context, context.turn.request]);
    const known = this.#results.get(key);
    if (known) return copyOf(known.result);
    return this.#running.run(key, {
      run: async () => {
        const result = await run();
        if (!isFailure(result)) this.#results.set(key, { result: copyOf(result) });
        return result;
      },
      share: (result) => (isFailure(result) ? undefined : { result: copyOf(result) }),
      accept: ({ result }) => copyOf(result),
      signal: context.signal,
    });
  }
}

/** Plain data is nobody's to change. Instances of classes are given as they are: a copy would not be of the class. */
function copyOf(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(copyOf);
  if (typeof result !== 'object' || result === null || !isPlainObject(result)) return result;
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, copyOf(value)]));
}
