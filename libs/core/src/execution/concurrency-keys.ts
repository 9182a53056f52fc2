import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '../model/aborts.js';
import type { ToolRun } from '../tool/tool-run.js';

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

/** The holds of the calls around the running code. One for all: Node.js before 24 never frees one that was used. */
const heldAround = new AsyncLocalStorage<ReadonlySet<KeyHold>>();

/**
 * Runs calls with the same key one after the other. A key is free once the code of a call has
 * ended, which may be long after the call was stopped.
 */
export class ConcurrencyKeys {
  /** The calls of each key. The first one has it, and the others wait. */
  readonly #lines = new Map<string, KeyHold[]>();

  /**
   * Runs a call once it has its key. A call inside another one with the same key, such as from a
   * tool that uses a client, runs at once. If the previous call was stopped and its code still
   * runs, the wait is limited to this call's own timeout.
   *
   * @throws ToolBusyException if that time has passed; the abort reason if the wait is aborted
   */
  async run<T>(key: string, call: KeyedCall, work: (hold: KeyHold | undefined) => Promise<T>): Promise<T> {
    const around = heldAround.getStore();
    const line = this.#lines.get(key) ?? [];
    if (line[0] && around?.has(line[0]) && !line[0].isReleased) return work(undefined);
    const hold = new KeyHold(line, call, () => this.#lines.delete(key));
    this.#lines.set(key, line);
    await hold.enter();
    try {
      return await heldAround.run(new Set(around).add(hold), () => work(hold));
    } finally {
      hold.release();
    }
  }
}

/** The place of one call in the line of its key, until the code of its last try has ended. */
export class KeyHold {
  /** Whether the call has its result. */
  isReleased = false;
  /** Resolves when the running code ends. */
  #running: Promise<void> | undefined;
  /** How long the call waits for the code of a stopped one, also its own, in milliseconds. */
  readonly #maxWait: number;
  #timer: NodeJS.Timeout | undefined;
  #begin!: () => void;
  #giveUp!: (reason: Error) => void;

  constructor(
    private readonly line: KeyHold[],
    private readonly call: KeyedCall,
    private readonly isLast: () => void,
  ) {
    this.#maxWait = Number.isFinite(call.timeout) ? call.timeout! : DEFAULT_MAX_WAIT;
  }

  /** Waits until the earlier calls have ended. */
  async enter(): Promise<void> {
    const { line } = this;
    if (line.push(this) === 1) return;
    const ahead = new Promise<void>((resolve, reject) => {
      this.#begin = resolve;
      this.#giveUp = reject;
    });
    // The code of a stopped call may never end.
    if (line[0]!.isReleased) this.#limit();
    try {
      await untilAborted(this.call.signal, ahead);
    } catch (error) {
      this.#leave();
      throw error;
    } finally {
      this.#unlimit();
    }
  }

  /** Runs one attempt. */
  run(run: ToolRun): Promise<unknown> {
    const result = run.runCode();
    this.#running = this.#endOf(result, run);
    return result;
  }

  /** Whether the code of the last attempt has ended, or ends within the longest wait. */
  async hasEnded(signal: AbortSignal): Promise<boolean> {
    if (!this.#running) return true;
    const stop = new AbortController();
    const timeUp = sleep(this.#maxWait, undefined, { signal: AbortSignal.any([signal, stop.signal]) });
    await Promise.race([this.#running, timeUp.catch(() => undefined)]);
    stop.abort();
    return this.#running === undefined;
  }

  /** Gives up the key. The next call starts once the running code has ended. */
  release(): void {
    this.isReleased = true;
    if (!this.#running) return this.#leave();
    for (const other of this.line.slice(1)) other.#limit();
    void this.#running.then(() => this.#leave());
  }

  #leave(): void {
    const { line } = this;
    const at = line.indexOf(this);
    line.splice(at, 1);
    if (line.length === 0) this.isLast();
    if (at > 0) return;
    for (const other of line) other.#unlimit();
    const [first] = line;
    if (first) first.#begin();
  }

  #limit(): void {
    const { toolName } = this.call;
    this.#timer ??= setTimeout(() => this.#giveUp(new ToolBusyException(toolName, this.#maxWait)), this.#maxWait);
  }

  #unlimit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #endOf(result: Promise<unknown>, run: ToolRun): Promise<void> {
    // The caller of the code handles the error.
    await Promise.allSettled([result]);
    await run.closing;
    this.#running = undefined;
  }
}
