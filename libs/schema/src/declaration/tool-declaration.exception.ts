/** The declaration of a tool is invalid. The message contains the remedy. */
export class ToolDeclarationException extends Error {
  override readonly name = 'ToolDeclarationException';
}

/** Neither decorators nor what TypeScript emits say what a value is. Types could say it. */
export class UnknownTypeException extends ToolDeclarationException {}
