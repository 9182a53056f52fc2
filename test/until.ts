/** Waits until something has happened. The timeout of the test ends it. */
export async function until(hasHappened: () => unknown): Promise<void> {
  while (!(await hasHappened())) await new Promise((resolve) => setTimeout(resolve, 5));
}
