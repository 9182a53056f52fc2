/** Waits until all promises have settled, but no longer than `limit` milliseconds. */
export async function settledWithin(promises: readonly Promise<unknown>[], limit: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  await Promise.race([Promise.allSettled(promises), timeUp]);
  clearTimeout(timer);
}
