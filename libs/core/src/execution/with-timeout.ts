import { onAbort, untilAborted } from '../model/aborts.js';

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
  const isLimited = timeout !== undefined && timeout !== Number.POSITIVE_INFINITY;
  const timer = isLimited
    ? setTimeout(() => controller.abort(new ToolTimeoutException(toolName, timeout)), timeout)
    : undefined;
  try {
    return await untilAborted(controller.signal, run(controller.signal));
  } finally {
    clearTimeout(timer);
    release();
  }
}
