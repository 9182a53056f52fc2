import { AsyncLocalStorage } from 'node:async_hooks';
import { onAbort } from '../model/aborts.js';
import { SerialQueue } from '../model/serial-queue.js';
import { KeyHold } from './key-hold.js';

/**
 * How long a call without a timeout waits for the code of a stopped call to end, in milliseconds.
 */
const DEFAULT_MAX_WAIT = 30_000;

/**
 * A call did not run because the code of an earlier, stopped call with the same concurrency key is
 * still running.
 */
export class ToolBusyException extends Error {
  override readonly name = 'ToolBusyException';

  /** @param waited the time that the call waited, in milliseconds */
  constructor(toolName: string, waited: number) {
    super(
      `The tool '${toolName}' was not run: an earlier call that it must not run beside was stopped, but has not ended within ` +
        `${waited} ms. Try again later, or go on without it.`,
    );
  }
}

/** A call with a concurrency key. */
export interface KeyedCall {
  readonly toolName: string;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
  /** The limit for each attempt of the call, in milliseconds. */
  readonly timeout: number | undefined;
}

/**
 * Runs calls with the same key one after the other. A key is free once the code of a call has
 * ended, which may be long after the call was stopped.
 */
export class ConcurrencyKeys {
  /** The keys of the calls around the running code. */
  readonly #around = new AsyncLocalStorage<ReadonlyMap<string, KeyHold>>();
  readonly #queue = new SerialQueue();
  readonly #lines = new Map<string, Line>();

  /**
   * Runs a call once it has its key. A call inside another one with the same key, such as from a
   * tool that uses a client, runs at once.
   */
  async run<T>(key: string, call: KeyedCall, work: (hold: KeyHold | undefined) => Promise<T>): Promise<T> {
    const around = this.#around.getStore();
    if (around?.get(key)?.isReleased === false) return work(undefined);
    const hold = await this.enter(key, call);
    try {
      return await this.#around.run(new Map(around).set(key, hold), () => work(hold));
    } finally {
      hold.release();
    }
  }

  /**
   * Waits until the earlier calls have ended. If the previous call was stopped and its code still
   * runs, the wait is limited to this call's own timeout.
   *
   * @throws ToolBusyException if that time has passed; the abort reason if the wait is aborted
   */
  async enter(key: string, call: KeyedCall): Promise<KeyHold> {
    const maxWait = Number.isFinite(call.timeout) ? call.timeout! : DEFAULT_MAX_WAIT;
    const line = this.#joined(key);
    const wait = line.size > 1 ? new Wait(line, call, maxWait) : undefined;
    try {
      const leave = await this.#queue.enter(key, wait?.signal);
      return new KeyHold(maxWait, {
        stalled: () => line.stall(),
        ended: () => {
          line.moveOn();
          this.#left(key, line);
          leave();
        },
      });
    } catch (error) {
      this.#left(key, line);
      throw error;
    } finally {
      wait?.end();
    }
  }

  #joined(key: string): Line {
    let line = this.#lines.get(key);
    if (!line) this.#lines.set(key, (line = new Line()));
    line.size++;
    return line;
  }

  #left(key: string, line: Line): void {
    if (--line.size === 0) this.#lines.delete(key);
  }
}

/** The calls of one key: the one that holds it and those that wait. */
class Line {
  size = 0;
  readonly waiting = new Set<Wait>();
  isStalled = false;

  /** Called when the call with the key was stopped but its code still runs. */
  stall(): void {
    this.isStalled = true;
    for (const wait of this.waiting) wait.limit();
  }

  moveOn(): void {
    this.isStalled = false;
    for (const wait of this.waiting) wait.unlimit();
  }
}

/** The wait of one call. */
class Wait {
  readonly #controller = new AbortController();
  readonly #release: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly line: Line,
    private readonly call: KeyedCall,
    private readonly maxWait: number,
  ) {
    this.#release = onAbort(call.signal, (reason) => this.#controller.abort(reason));
    line.waiting.add(this);
    if (line.isStalled) this.limit();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  limit(): void {
    const { call, maxWait } = this;
    this.#timer ??= setTimeout(() => this.#controller.abort(new ToolBusyException(call.toolName, maxWait)), maxWait);
  }

  unlimit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  end(): void {
    this.unlimit();
    this.#release();
    this.line.waiting.delete(this);
  }
}
