import { forManyListeners, onAbort, untilAborted } from '../model/aborts.js';

/** A tool exceeded its timeout. */
export class ToolTimeoutException extends Error {
  override readonly name = 'ToolTimeoutException';

  constructor(toolName: string, timeout: number) {
    super(`The tool '${toolName}' did not answer within ${timeout} ms and was given up: it may still have an effect.`);
  }
}

/**
 * Runs a tool that is stopped by its timeout or an abort of the turn. Then its own signal is
 * aborted, and its result is no longer awaited.
 *
 * @param timeout the limit in milliseconds; without it, only the turn's signal stops the tool
 */
export async function withTimeout<T>(
  toolName: string,
  timeout: number | undefined,
  turnSignal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  turnSignal.throwIfAborted();
  const controller = new AbortController();
  const release = onAbort(turnSignal, (reason) => controller.abort(reason));
  const timer = isLimited(timeout)
    ? setTimeout(() => controller.abort(new ToolTimeoutException(toolName, timeout)), timeout)
    : undefined;
  try {
    return await untilAborted(controller.signal, run(forManyListeners(controller.signal)));
  } finally {
    clearTimeout(timer);
    release();
  }
}

/**
 * Limits the time of guards and interceptors. The timer pauses while the tool's code runs, which
 * has its own limit.
 */
export class CallTimeout {
  #timer: NodeJS.Timeout | undefined;
  readonly #controller = new AbortController();
  /** The number of running codes: an interceptor may run several at once. */
  #pauses = 0;
  #isLimiting = false;

  /** @param timeout the limit in milliseconds */
  constructor(
    private readonly toolName: string,
    private readonly timeout: number | undefined,
  ) {}

  /**
   * Waits for a result until the timeout.
   *
   * @throws ToolTimeoutException after the timeout
   */
  async limit<T>(run: () => Promise<T>): Promise<T> {
    if (!isLimited(this.timeout)) return run();
    this.#isLimiting = true;
    this.#arm();
    try {
      return await untilAborted(this.#controller.signal, run());
    } finally {
      clearTimeout(this.#timer);
      this.#isLimiting = false;
    }
  }

  /** A signal for guards and interceptors: aborted by the timeout or with the turn. */
  signalIn(turnSignal: AbortSignal): AbortSignal {
    return forManyListeners(AbortSignal.any([turnSignal, this.#controller.signal]));
  }

  pause(): void {
    this.#pauses++;
    clearTimeout(this.#timer);
  }

  /** Restarts the timer. */
  resume(): void {
    if (--this.#pauses === 0) this.#arm();
  }

  #arm(): void {
    const { toolName, timeout } = this;
    if (!this.#isLimiting) return;
    this.#timer = setTimeout(() => this.#controller.abort(new ToolTimeoutException(toolName, timeout!)), timeout);
  }
}

function isLimited(timeout: number | undefined): timeout is number {
  return timeout !== undefined && timeout !== Number.POSITIVE_INFINITY;
}
