import type { ToolCallback } from './tool-callback.js';

/**
 * Caches a function of a list of tools. It only caches results for frozen lists, which a client
 * reuses for many requests. Other lists may change, so it computes their result each time.
 */
export function rememberByList<T extends object | boolean>(
  make: (callbacks: readonly ToolCallback[]) => T,
): (callbacks: readonly ToolCallback[]) => T {
  const known = new WeakMap<readonly ToolCallback[], T>();
  return (callbacks) => {
    let made = known.get(callbacks);
    if (made === undefined) {
      made = make(callbacks);
      if (Object.isFrozen(callbacks)) known.set(callbacks, made);
    }
    return made;
  };
}
