import { forManyListeners, onAbort, untilAborted } from '../model/aborts.js';

/** A tool took longer than it may. */
export class ToolTimeoutException extends Error {
  override readonly name = 'ToolTimeoutException';

  constructor(toolName: string, timeout: number) {
    super(`The tool '${toolName}' did not answer within ${timeout} ms and was stopped.`);
  }
}

/**
 * Runs a tool that may be stopped: by its timeout, or because the turn is aborted. Its own signal
 * is aborted then, and it is not waited for any longer.
 *
 * @param timeout in milliseconds; without it only the turn's signal stops the tool
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

/** Limits what surrounds the code of a tool, such as guards: the code has a time of its own, during which this one rests. */
export class CallTimeout {
  #timer: NodeJS.Timeout | undefined;
  readonly #controller = new AbortController();
  /** An interceptor may run the code several times at once. */
  #pauses = 0;
  #expire: ((error: ToolTimeoutException) => void) | undefined;

  /** @param timeout in milliseconds */
  constructor(
    private readonly toolName: string,
    private readonly timeout: number | undefined,
  ) {}

  /** Waits for a result no longer than the timeout, and throws a ToolTimeoutException then. */
  async limit<T>(run: () => Promise<T>): Promise<T> {
    if (!isLimited(this.timeout)) return run();
    const expired = new Promise<never>((_resolve, reject) => {
      this.#expire = reject;
    });
    this.#arm();
    try {
      return await Promise.race([run(), expired]);
    } finally {
      clearTimeout(this.#timer);
      this.#expire = undefined;
    }
  }

  /** Aborted when the time is over, or with the turn: for guards and interceptors. */
  signalIn(turnSignal: AbortSignal): AbortSignal {
    return forManyListeners(AbortSignal.any([turnSignal, this.#controller.signal]));
  }

  pause(): void {
    this.#pauses++;
    clearTimeout(this.#timer);
  }

  /** Begins anew. */
  resume(): void {
    if (--this.#pauses === 0) this.#arm();
  }

  #arm(): void {
    const { toolName, timeout } = this;
    const expire = this.#expire;
    if (!expire) return;
    this.#timer = setTimeout(() => {
      const error = new ToolTimeoutException(toolName, timeout!);
      this.#controller.abort(error);
      expire(error);
    }, timeout);
  }
}

function isLimited(timeout: number | undefined): timeout is number {
  return timeout !== undefined && timeout !== Number.POSITIVE_INFINITY;
}
