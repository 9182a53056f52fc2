import { verifyTool } from '../../client/tool-selection.js';
import { type ToolCallback, isToolCallback } from '../../model/tool-callback.js';
import { ToolDefinitionSizeException } from '../../tool/trust/definition-size.js';

/** The reasons why a tool cannot be offered to a model. */
export const DEFINITION_FAULTS = ['invalid', 'too-large'] as const;
export type DefinitionFault = (typeof DEFINITION_FAULTS)[number];

/**
 * Why a tool cannot be offered. Undefined for a valid tool. Contains no text of the tool, since
 * logs must not show it.
 */
export function definitionFaultOf(callback: ToolCallback): DefinitionFault | undefined {
  try {
    verifyTool(callback);
    return undefined;
  } catch (error) {
    return (error as Error).cause instanceof ToolDefinitionSizeException ? 'too-large' : 'invalid';
  }
}

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
