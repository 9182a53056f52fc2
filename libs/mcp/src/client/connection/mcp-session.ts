import type { Client, ElicitRequest, ElicitResult, Tool } from '@modelcontextprotocol/client';
import type { McpServerConnection } from '../mcp-client.options.js';

/**
 * Answers a server of protocol 2025 that asks the user in the middle of a call. Servers of protocol
 * 2026-07-28 return an `input_required` result instead.
 *
 * @param signal is aborted when the connection ends
 */
export type ElicitationHandler = (params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;

/** A connection to a server with one credential. Requests with other credentials have others. */
export interface McpSession {
  readonly server: McpServerConnection;
  /** A result that needs input comes back as it is if a call has `allowInputRequired: true`. */
  readonly client: Client;
  /**
   * The tools that the server lists for this credential: the same frozen list until the server
   * says that it has changed. A list of a server that cannot say so is used for five minutes.
   *
   * @throws McpConnectionException if the server does not list them, or lists too many
   */
  tools(): Promise<readonly Tool[]>;
  /**
   * Runs a call. While it runs, the connection stays open, and `handler` answers the questions of
   * the server. A question is answered with `cancel` if it is unclear to which call it belongs.
   *
   * @throws McpConnectionException if the connection breaks. Other errors of the call stay as they
   * are.
   * @example
   * session.withElicitation(askUser, () => session.client.callTool({ name, arguments: input }));
   */
  withElicitation<T>(handler: ElicitationHandler, call: () => Promise<T>): Promise<T>;
}

/** Connects to servers, and keeps the connections. */
export abstract class McpSessions {
  /** The servers of the configuration that are switched on. */
  abstract readonly servers: readonly McpServerConnection[];

  /**
   * The session of a server for the user of a request. Connects if necessary. Concurrent callers
   * with the same credential share one connection.
   *
   * @param request the value of `.request(…)`, from which `McpCredentials` takes the user
   * @param signal stops waiting for the connection
   * @throws McpConnectionException if the server cannot be used now. It names the server, and
   * contains no secret and no text of the server.
   */
  abstract session(serverName: string, request: unknown, signal?: AbortSignal): Promise<McpSession>;
}
