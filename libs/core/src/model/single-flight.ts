import { AsyncLocalStorage } from 'node:async_hooks';
import { untilAborted } from './aborts.js';

/** One of several concurrent requests for the same result. */
export interface FlightRequest<Result, Shared> {
  /** Computes the result. */
  run(): Promise<Result>;
  /**
   * Returns the part of the result that others may use, or undefined if nothing can be shared,
   * such as a failure. Only called if others wait.
   */
  share(result: Result): Shared | undefined;
  /** Creates this request's result from the part that another one shared. */
  accept(shared: Shared): Result;
  /** Aborted when this request is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** How a run ended: with something to share, with nothing to share, or given up. */
type Landing<Shared> = { readonly shared: Shared } | 'nothing' | 'left';

interface Flight<Shared> {
  readonly landing: Promise<Landing<Shared>>;
  isJoined: boolean;
}

/** The flights that the current code runs in. One for all: Node.js before 24 never frees an `AsyncLocalStorage` that was used. */
const runningIn = new AsyncLocalStorage<ReadonlySet<object>>();

/**
 * Runs concurrent requests for the same result only once.
 *
 * The first request runs, and the others wait for its result. If the first request is given up,
 * the next one runs for those who still wait. If it fails, or its result cannot be shared, each of
 * the others runs by itself, all in parallel: the failure may be specific to the first request,
 * and waiting for one failure after another would take long.
 */
export class SingleFlight<Shared> {
  readonly #flights = new Map<string, Flight<Shared>>();

  /** @throws the error of its own run, or the reason of the abort */
  async run<Result>(key: string, request: FlightRequest<Result, Shared>): Promise<Result> {
    const { signal } = request;
    const around = runningIn.getStore();
    for (;;) {
      const flight = this.#flights.get(key);
      if (!flight) return this.#lead(key, request, around);
      if (around?.has(flight)) return runUntilLeft(request);
      flight.isJoined = true;
      const landing = await (signal ? untilAborted(signal, flight.landing) : flight.landing);
      if (landing === 'nothing') return runUntilLeft(request);
      if (landing !== 'left') return request.accept(landing.shared);
    }
  }

  async #lead<Result>(
    key: string,
    request: FlightRequest<Result, Shared>,
    around: ReadonlySet<object> | undefined,
  ): Promise<Result> {
    let land!: (landing: Landing<Shared>) => void;
    const flight: Flight<Shared> = { landing: new Promise((resolve) => (land = resolve)), isJoined: false };
    this.#flights.set(key, flight);
    let landing: Landing<Shared> = 'nothing';
    try {
      const result = await runningIn.run(new Set(around).add(flight), () => runUntilLeft(request));
      const shared = flight.isJoined ? request.share(result) : undefined;
      if (shared !== undefined) landing = { shared };
      return result;
    } catch (error) {
      if (request.signal?.aborted) landing = 'left';
      throw error;
    } finally {
      // Remove the flight before the others resume, so that the next one can start its own.
      this.#flights.delete(key);
      land(landing);
    }
  }
}

/** A request that is given up must not make others wait for a run that ignores its signal. */
async function runUntilLeft<Result>(request: Pick<FlightRequest<Result, unknown>, 'run' | 'signal'>): Promise<Result> {
  const { signal } = request;
  signal?.throwIfAborted();
  return signal ? untilAborted(signal, request.run()) : request.run();
}
