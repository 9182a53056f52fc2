/** A call, and whether it must run alone. */
export interface RunnableCall<T> {
  readonly sequential: boolean;
  run(): Promise<T>;
}

/**
 * Runs calls concurrently, at most `concurrency` at a time, and returns their results in the order
 * of the calls. A sequential call waits for the calls before it, and the calls after it wait for
 * it.
 *
 * If a call fails, no further call starts. The running calls finish, and the first failure in the
 * order of the calls is thrown.
 */
export async function runCalls<T>(calls: readonly RunnableCall<T>[], concurrency: number): Promise<T[]> {
  const results: T[] = [];
  const failures: { at: number; error: unknown }[] = [];
  let next = 0;
  const settle = async (at: number): Promise<void> => {
    try {
      results[at] = await calls[at]!.run();
    } catch (error) {
      failures.push({ at, error });
    }
  };
  while (next < calls.length && failures.length === 0) {
    if (calls[next]!.sequential) {
      await settle(next++);
      continue;
    }
    let end = next;
    while (end < calls.length && !calls[end]!.sequential) end++;
    const worker = async (): Promise<void> => {
      while (next < end && failures.length === 0) await settle(next++);
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, end - next) }, worker));
  }
  const [first] = failures.sort((a, b) => a.at - b.at);
  if (first) throw first.error;
  return results;
}
