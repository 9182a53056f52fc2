import { verifyTool } from '../../client/tool-selection.js';
import type { ToolCallback } from '../../model/tool-callback.js';
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
