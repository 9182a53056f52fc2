import { AsyncLocalStorage } from 'node:async_hooks';
import { untilAborted } from './aborts.js';

/** Somebody who asks for something that others may ask for at the same time. */
export interface FlightRequest<Result, Shared> {
  /** Runs what is asked for. */
  run(): Promise<Result>;
  /** What the others may have of the result; undefined when it is none to share, such as a failure. Only called when there are others. */
  share(result: Result): Shared | undefined;
  /** Makes a result of what another one has shared. */
  accept(shared: Shared): Result;
  /** Aborted when whoever asks gives up. */
  readonly signal?: AbortSignal | undefined;
}

/** What came of a run: something to share, nothing, or that whoever ran it has left. */
type Landing<Shared> = { readonly shared: Shared } | 'nothing' | 'left';

interface Flight<Shared> {
  readonly landing: Promise<Landing<Shared>>;
  isJoined: boolean;
}

/**
 * Runs what is asked for several times at once only once.
 *
 * The first one runs it; the others wait for what comes of it. When the first one leaves, the next one runs it for those who still
 * wait. When it fails, or its result is not to be shared, each of the others runs it by itself, all at once: a failure may be due to who has
 * asked, and those who wait one after the other for something that fails would wait for long.
 */
export class SingleFlight<Shared> {
  readonly #flights = new Map<string, Flight<Shared>>();
  /** What the running code runs inside of: it would wait for itself. */
  readonly #around = new AsyncLocalStorage<ReadonlySet<Flight<Shared>>>();

  /** @throws what the own run throws, or the reason why the signal is aborted */
  async run<Result>(key: string, request: FlightRequest<Result, Shared>): Promise<Result> {
    const { signal } = request;
    const around = this.#around.getStore();
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
    around: ReadonlySet<Flight<Shared>> | undefined,
  ): Promise<Result> {
    let land!: (landing: Landing<Shared>) => void;
    const flight: Flight<Shared> = { landing: new Promise((resolve) => (land = resolve)), isJoined: false };
    this.#flights.set(key, flight);
    let landing: Landing<Shared> = 'nothing';
    try {
      const result = await this.#around.run(new Set(around).add(flight), () => runUntilLeft(request));
      const shared = flight.isJoined ? request.share(result) : undefined;
      if (shared !== undefined) landing = { shared };
      return result;
    } catch (error) {
      if (request.signal?.aborted) landing = 'left';
      throw error;
    } finally {
      // Before those who wait are told: the next one finds it free.
      this.#flights.delete(key);
      land(landing);
    }
  }
}

/** Who leaves does not keep the others waiting for a run that ignores its signal. */
async function runUntilLeft<Result>(request: Pick<FlightRequest<Result, unknown>, 'run' | 'signal'>): Promise<Result> {
  const { signal } = request;
  signal?.throwIfAborted();
  return signal ? untilAborted(signal, request.run()) : request.run();
}
