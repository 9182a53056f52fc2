/** The declaration of a tool is invalid. The message contains the remedy. */
export class ToolDeclarationException extends Error {
  override readonly name = 'ToolDeclarationException';
}
