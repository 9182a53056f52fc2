import { isToolCallback, type ToolCallback } from '../../model/tool-callback.js';

/**
 * The result of `getToolCallbacks()`.
 *
 * @throws TypeError unless it is an array of tools
 */
export function checkListedTools(given: unknown): readonly ToolCallback[] {
  if (!Array.isArray(given))
    throw new TypeError(`getToolCallbacks() has to return an array, but returned ${String(given)}.`);
  for (const [index, callback] of given.entries()) {
    if (isToolCallback(callback) && typeof callback.toolDefinition?.name === 'string') continue;
    throw new TypeError(
      `getToolCallbacks() has to return ToolCallbacks, but item ${index + 1} is not one, or has no toolDefinition.`,
    );
  }
  return given as ToolCallback[];
}
