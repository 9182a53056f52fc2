import { Logger } from '@nestjs/common';
import { BackOff } from './back-off.js';
import type { McpConnectionException } from './mcp-connection.exception.js';

/** Whether a server can be used. `not-connected`: no request has needed it yet, or not lately. */
export type McpServerStatus = 'up' | 'down' | 'not-connected';

/** What the application knows of a server, from the connections of all credentials. */
export class ServerState<Connection = unknown> {
  private readonly logger = new Logger('McpClientModule');
  /** Waits after failures that every credential would have. */
  readonly backOff = new BackOff();
  status: McpServerStatus = 'not-connected';
  /** The code of the last failure, while the server is down. */
  errorCode: string | undefined;
  #listFailure: string | undefined;
  /** The connection that failed last, with which to find out whether the server is back. */
  failed: Connection | undefined;

  connected(): void {
    this.status = 'up';
    this.errorCode = undefined;
    this.failed = undefined;
  }

  /** An attempt to connect has failed. */
  unreachable({ message, code }: McpConnectionException, connection: Connection): void {
    // The warning of the tools' provider says that tools are missing, not why.
    if (this.errorCode !== code) this.logger.warn(message);
    this.backOff.failed();
    this.lost(connection);
    this.errorCode = code;
  }

  /** Its tools were listed, or why they could not be. */
  listed(failure?: McpConnectionException): void {
    if (failure && this.#listFailure !== failure.code) this.logger.warn(failure.message);
    this.#listFailure = failure?.code;
  }

  /** A connection broke. The next request connects at once. */
  lost(connection: Connection): void {
    this.status = 'down';
    this.failed = connection;
  }

  /** A connection ended without a failure. */
  disconnected(): void {
    if (this.status === 'up') this.status = 'not-connected';
  }
}
