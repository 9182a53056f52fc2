/** A tool is declared in a way that cannot work. The message says what to write instead. */
export class ToolDeclarationException extends Error {
  override readonly name = 'ToolDeclarationException';
}
