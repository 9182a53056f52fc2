import { remembered } from './remembered.js';
import type { ToolCallback } from './tool-callback.js';

const indexOf = remembered(
  (callbacks: readonly ToolCallback[]) =>
    new Map(callbacks.map((callback) => [callback.toolDefinition.name, callback])),
  Object.isFrozen,
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
