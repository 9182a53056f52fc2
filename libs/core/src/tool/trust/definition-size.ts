import type { ToolDefinition } from '../../model/tool-definition.js';

/**
 * The maximum total length of description and schema of a foreign tool, in characters. Every
 * request that offers the tool pays for them.
 */
export const MAX_FOREIGN_DEFINITION = 50_000;

/** The description and schema of a foreign tool are too long. */
export class ToolDefinitionSizeException extends Error {
  override readonly name = 'ToolDefinitionSizeException';
}

/**
 * @throws ToolDefinitionSizeException when description and schema are too long; TypeError when the
 * schema cannot be serialized as JSON
 */
export function checkDefinitionSize({ description, inputSchema }: ToolDefinition): void {
  const length = description.length + JSON.stringify(inputSchema).length;
  if (length <= MAX_FOREIGN_DEFINITION) return;
  throw new ToolDefinitionSizeException(
    `its description and schema have ${length} characters, but a provider's tool may have at most ${MAX_FOREIGN_DEFINITION}. If you wrote ` +
      'them yourself, set trusted = true in the provider.',
  );
}
