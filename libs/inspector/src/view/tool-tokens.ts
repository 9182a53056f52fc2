import { estimateTokens, type ToolDefinition } from '@nestor-ai/core';

/** What a model pays for a tool, in tokens, roughly: as `nestor-schemas --report` counts. */
export function tokensOf({ name, description, inputSchema: parameters }: ToolDefinition): number {
  return estimateTokens({ name, description, parameters });
}
