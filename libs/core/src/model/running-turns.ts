import { AiShutdownException } from './ai-shutdown.exception.js';
import { serviceKey } from './request-services.js';
import { settledWithin } from './settled-within.js';
import { SlotList } from './slot-list.js';

/** The slot of a turn that was not stored. */
const NOWHERE = -1;

/** The error name in the abort reason of a call that took too long. */
const TIMEOUT = 'ToolTimeoutException';

/** A turn that can be aborted. */
interface Abortable {
  /** The request that it belongs to. A memory around the loop is aborted like a turn of its own. */
  readonly scope: object;
  /**
   * The turn has its answer. Its remaining work runs no tools or models, so shutdown waits for it.
   */
  readonly isEnding: boolean;
  abort(reason: unknown): void;
  /** Settles when the turn ends. */
  readonly ownEnd: Promise<unknown> | undefined;
  /** Ends the turn for its caller, whatever it still waits for. */
  giveUp(reason: unknown): void;
}

/**
 * Tools that keep running although their turn was aborted. The references are weak, so that a
 * promise that never settles does not keep its request in memory.
 */
class AbandonedTools {
  readonly #tools = new Set<WeakRef<Promise<unknown>>>();
  readonly #collected = new FinalizationRegistry<WeakRef<Promise<unknown>>>((tool) => this.#tools.delete(tool));

  add(running: Promise<unknown>): void {
    const tool = new WeakRef(running);
    this.#tools.add(tool);
    this.#collected.register(running, tool);
    const forget = (): void => void this.#tools.delete(tool);
    running.then(forget, forget);
  }

  items(): Promise<unknown>[] {
    return [...this.#tools].flatMap((tool) => tool.deref() ?? []);
  }
}

/** The running turns that shut down together with those of a request. */
export const RUNNING_TURNS = serviceKey<RunningTurns>('RunningTurns');

/** The running turns, for example of an application. They can be shut down together. */
export class RunningTurns {
  readonly #turns = new SlotList<Abortable>();
  readonly #tools = new SlotList<Promise<unknown>>();
  readonly #abandoned = new AbandonedTools();
  /** Whether new requests are refused. */
  #refuses = false;
  /** The abort reason of the turns, set by {@link close}. */
  #reason: AiShutdownException | undefined;

  get areIdle(): boolean {
    return this.#turns.items().length === 0;
  }

  /** @throws AiShutdownException when new requests are refused */
  throwIfClosed(): void {
    if (this.#refuses) throw new AiShutdownException();
  }

  /**
   * Adds a turn that starts. If the turns were already shut down, it aborts the turn at once.
   *
   * @returns its slot, for {@link remove}
   */
  add(turn: Abortable): number {
    if (!this.#reason) return this.#turns.add(turn);
    turn.abort(this.#reason);
    return NOWHERE;
  }

  /** Removes a turn that has ended. Its tools may still run. */
  remove(slot: number, turn: Abortable): void {
    this.#turns.remove(slot, turn);
  }

  /**
   * Adds a tool that starts.
   *
   * @param signal of the call; after a timeout, shutdown no longer waits for the tool
   */
  addTool(running: Promise<unknown>, signal?: AbortSignal): void {
    const slot = this.#tools.add(running);
    const forget = (): void => this.#tools.remove(slot, running);
    running.then(forget, forget);
    const giveUp = (): void => {
      forget();
      if ((signal?.reason as Error | undefined)?.name !== TIMEOUT) this.#abandoned.add(running);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
  }

  /**
   * Adds a call whose end is reported with {@link callEnded}, so that nothing has to listen for
   * it.
   *
   * @returns its slot
   */
  callBegan(running: Promise<unknown>): number {
    return this.#tools.add(running);
  }

  /**
   * Removes a call that has been answered.
   *
   * @param mayStillRun whether the turn was aborted and the tool may still run; shutdown then
   * waits for it
   */
  callEnded(slot: number, running: Promise<unknown>, mayStillRun: boolean): void {
    this.#tools.remove(slot, running);
    if (mayStillRun) this.#abandoned.add(running);
  }

  /**
   * Refuses new requests and waits for the running turns to end, including turns that start
   * meanwhile in requests that were already accepted.
   *
   * @param limit the longest wait, in milliseconds
   * @returns the number of turns that still run
   */
  async drain(limit: number): Promise<number> {
    this.#refuses = true;
    const until = performance.now() + limit;
    const waitedFor = new Set<Abortable>();
    for (;;) {
      const others = this.#turns.items().filter((turn) => turn.ownEnd && !waitedFor.has(turn));
      const left = until - performance.now();
      if (others.length === 0 || left <= 0) return new Set(this.#turns.items().map(({ scope }) => scope)).size;
      for (const turn of others) waitedFor.add(turn);
      await settledWithin(
        others.map(({ ownEnd }) => ownEnd!),
        left,
      );
    }
  }

  /**
   * Aborts all turns and waits for them and for the running tools. Callers of turns that have not
   * ended by then get the abort reason.
   *
   * @param limit the longest wait, in milliseconds
   * @returns the number of tools that still run
   */
  async close(limit: number): Promise<number> {
    this.#refuses = true;
    this.#reason ??= new AiShutdownException();
    const tools = this.#runningTools();
    const turns = this.#turns.items();
    for (const turn of turns) if (!turn.isEnding) turn.abort(this.#reason);
    const ends = turns.flatMap(({ ownEnd }) => ownEnd ?? []);
    if (tools.length + ends.length > 0) await settledWithin([...tools, ...ends], limit);
    // A model or tool that ignores its signal must not keep the server from closing.
    for (const turn of turns) turn.giveUp(this.#reason);
    const running = new Set(this.#runningTools());
    return tools.filter((tool) => running.has(tool)).length;
  }

  #runningTools(): Promise<unknown>[] {
    return [...this.#tools.items(), ...this.#abandoned.items()];
  }
}
