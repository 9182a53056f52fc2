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
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const give = (reason: unknown): void => {
      controller.abort(reason);
      reject(reason);
    };
    stop = () => give(turnSignal.reason);
    turnSignal.addEventListener('abort', stop, { once: true });
    if (timeout !== undefined && timeout !== Number.POSITIVE_INFINITY) {
      timer = setTimeout(() => give(new ToolTimeoutException(toolName, timeout)), timeout);
    }
  });
  try {
    return await Promise.race([run(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    turnSignal.removeEventListener('abort', stop!);
  }
}
