import type { ToolCallback } from './tool-callback.js';

// Keyed by the list itself, which a client reuses from request to request: a request with 200 tools
// costs no more than one with a single tool.
const indexes = new WeakMap<readonly ToolCallback[], ReadonlyMap<string, ToolCallback>>();

/** Below this, looking through the list is faster than having an index. */
const SMALL = 4;

/** The tool of a name in the list of a request. */
export function findTool(callbacks: readonly ToolCallback[] | undefined, name: string): ToolCallback | undefined {
  if (!callbacks) return undefined;
  if (callbacks.length <= SMALL || !Object.isFrozen(callbacks)) {
    for (let at = 0; at < callbacks.length; at++) {
      if (callbacks[at]!.toolDefinition.name === name) return callbacks[at];
    }
    return undefined;
  }
  let index = indexes.get(callbacks);
  if (!index) {
    index = new Map(callbacks.map((callback) => [callback.toolDefinition.name, callback]));
    indexes.set(callbacks, index);
  }
  return index.get(name);
}
