/** An MCP server cannot be used now. The message has no secret and no text of the server. */
export class McpConnectionException extends Error {
  override readonly name = 'McpConnectionException';

  /**
   * @param serverName the name of the server in the application
   * @param reason a sentence without the full stop: what happened
   * @param code an error code or an HTTP status, for logs
   */
  constructor(
    readonly serverName: string,
    reason: string,
    readonly code?: string,
  ) {
    super(`The MCP server '${serverName}' ${reason}.`);
  }

  /** The HTTP status of the server, if that is the reason. */
  get status(): number | undefined {
    return this.code !== undefined && /^\d{3}$/.test(this.code) ? Number(this.code) : undefined;
  }
}
