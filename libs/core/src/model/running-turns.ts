import { AiShutdownException } from './ai-shutdown.exception.js';
import { settledWithin } from './settled-within.js';
import { SlotList } from './slot-list.js';

/** The place of a turn that was not kept. */
const NOWHERE = -1;

/** The name of what a call is aborted with that took too long. */
const TIMEOUT = 'ToolTimeoutException';

/** A turn, as far as it is to be ended. */
interface Abortable {
  /** It has its answer, and what is still to be done takes no more tools or models: it is waited for. */
  readonly isEnding: boolean;
  abort(reason: unknown): void;
  /** When it ends by itself. */
  readonly ownEnd: Promise<unknown> | undefined;
  /** Ends it for its caller, whatever it still waits for. */
  giveUp(reason: unknown): void;
}

/**
 * Tools that go on though their turn was aborted. Held weakly: one that nothing can end any more, such as a promise that hangs, does not
 * keep the request that it was called in.
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

/** The turns that are under way somewhere, such as in an application, so that they can be ended together. */
export class RunningTurns {
  readonly #turns = new SlotList<Abortable>();
  readonly #tools = new SlotList<Promise<unknown>>();
  readonly #abandoned = new AbandonedTools();
  /** Whether no other request may begin. */
  #refuses = false;
  /** What turns were aborted with. */
  #reason: AiShutdownException | undefined;

  /** Whether no turn runs now. */
  get areIdle(): boolean {
    return this.#turns.items().length === 0;
  }

  /** @throws AiShutdownException when no other request may begin */
  throwIfClosed(): void {
    if (this.#refuses) throw new AiShutdownException();
  }

  /**
   * A turn has begun. One that begins too late is aborted at once.
   *
   * @returns its place, for {@link remove}
   */
  add(turn: Abortable): number {
    if (!this.#reason) return this.#turns.add(turn);
    turn.abort(this.#reason);
    return NOWHERE;
  }

  /** A turn has ended. Its tools may still run. */
  remove(slot: number, turn: Abortable): void {
    this.#turns.remove(slot, turn);
  }

  /**
   * A tool has begun to run.
   *
   * @param signal of the call; when it has taken too long and was given up, nobody waits for the tool any more
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
   * A call has begun whose end is told with {@link callEnded}: nothing has to listen for it.
   *
   * @returns its place
   */
  callBegan(running: Promise<unknown>): number {
    return this.#tools.add(running);
  }

  /**
   * A call is answered.
   *
   * @param mayStillRun its turn was aborted: the tool may go on, and is waited for
   */
  callEnded(slot: number, running: Promise<unknown>, mayStillRun: boolean): void {
    this.#tools.remove(slot, running);
    if (mayStillRun) this.#abandoned.add(running);
  }

  /**
   * Refuses other requests, and waits for the turns to end by themselves, also for those that begin meanwhile: their requests had begun
   * before.
   *
   * @param limit how long they are waited for, in milliseconds
   * @returns how many turns still run
   */
  async drain(limit: number): Promise<number> {
    this.#refuses = true;
    const until = performance.now() + limit;
    const waitedFor = new Set<Abortable>();
    for (;;) {
      const others = this.#turns.items().filter((turn) => turn.ownEnd && !waitedFor.has(turn));
      const left = until - performance.now();
      if (others.length === 0 || left <= 0) return this.#turns.items().length;
      for (const turn of others) waitedFor.add(turn);
      await settledWithin(
        others.map(({ ownEnd }) => ownEnd!),
        left,
      );
    }
  }

  /**
   * Aborts all turns, waits for them and for the tools that run now, and has the callers told whose turns have not ended by then.
   *
   * @param limit how long tools are waited for, in milliseconds
   * @returns how many of the tools still run
   */
  async close(limit: number): Promise<number> {
    this.#refuses = true;
    this.#reason ??= new AiShutdownException();
    const tools = this.#runningTools();
    const turns = this.#turns.items();
    for (const turn of turns) if (!turn.isEnding) turn.abort(this.#reason);
    const ends = turns.flatMap(({ ownEnd }) => ownEnd ?? []);
    if (tools.length + ends.length > 0) await settledWithin([...tools, ...ends], limit);
    // A model or a tool that does not listen must not keep a server from closing.
    for (const turn of turns) turn.giveUp(this.#reason);
    const running = new Set(this.#runningTools());
    return tools.filter((tool) => running.has(tool)).length;
  }

  #runningTools(): Promise<unknown>[] {
    return [...this.#tools.items(), ...this.#abandoned.items()];
  }
}
