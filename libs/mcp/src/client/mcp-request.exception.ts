/**
 * An MCP server did not do what your code asked for. The message has no text of the server, so you
 * can log it and show it.
 */
export class McpRequestException extends Error {
  override readonly name = 'McpRequestException';
  // A private field, so that loggers do not print it.
  readonly #serverMessage: string | undefined;

  constructor(
    /** The name of the server in your application. */
    readonly server: string,
    reason: string,
    serverMessage?: string,
  ) {
    super(reason);
    this.#serverMessage = serverMessage;
  }

  /** What the server said, if it refused the request. It may be anything. */
  get serverMessage(): string | undefined {
    return this.#serverMessage;
  }
}
