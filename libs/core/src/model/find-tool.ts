import { rememberByList } from './remember-by-list.js';
import type { ToolCallback } from './tool-callback.js';

const indexOf = rememberByList(
  (callbacks) => new Map(callbacks.map((callback) => [callback.toolDefinition.name, callback])),
);

/** Up to this many tools, scanning the list is faster than building an index. */
const SMALL = 4;

/** Finds the tool with this name in the tools of a request. */
export function findTool(callbacks: readonly ToolCallback[] | undefined, name: string): ToolCallback | undefined {
  if (!callbacks) return undefined;
  if (callbacks.length > SMALL && Object.isFrozen(callbacks)) return indexOf(callbacks).get(name);
  for (let at = 0; at < callbacks.length; at++) {
    if (callbacks[at]!.toolDefinition.name === name) return callbacks[at];
  }
  return undefined;
}
