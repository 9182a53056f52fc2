/** The most causes to look at, should they form a circle. */
const MAX_DEPTH = 8;

/** A store did not answer in time. */
export class StoreTimeoutException extends Error {
  override readonly name = 'StoreTimeoutException';
  readonly isConnectionFailure = true;
}

/**
 * Whether an error, or what has caused it, says that a store cannot be reached now: it has
 * `isConnectionFailure: true`, as those of `@nestor-ai/postgres` and `@nestor-ai/bullmq` do. Then the
 * turn has not failed.
 */
export function isStoreFailure(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth++) {
    if ((at as { readonly isConnectionFailure?: unknown }).isConnectionFailure === true) return true;
    at = (at as { readonly cause?: unknown }).cause;
  }
  return false;
}
