import type { ToolCallback } from './tool-callback.js';

/**
 * A function of a list of tools that remembers what it has made. Only of frozen lists, which a client reuses from request to request: of
 * a list that its owner may change, it makes it anew each time.
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
