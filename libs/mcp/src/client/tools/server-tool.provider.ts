import type { Tool } from '@modelcontextprotocol/client';
import { type RegisteredTools, type ToolCallback, ToolCallbackProvider } from '@nestor-ai/core';
import { remembered } from '@nestor-ai/core/internal';
import type { McpConnectionException } from '../connection/mcp-connection.exception.js';
import type { McpSessions } from '../connection/mcp-session.js';
import type { McpServerConnection } from '../mcp-client.options.js';
import { neverRan } from './call-failure.js';
import { McpToolCallback } from './mcp-tool-callback.js';
import { matchesAny } from './name-pattern.js';
import { ServerCalls } from './server-calls.js';
import { toolPrefixOf, toToolName } from './tool-name.js';

/** Lists the tools of one server for the caller of a request. */
export class ServerToolProvider extends ToolCallbackProvider {
  override readonly perRequest = true;
  override readonly displayName: string;
  override readonly required: boolean;
  override readonly prefix: string;
  override readonly prefixWhen: 'always' | 'collision';
  // Private fields, so that no logger prints the headers of the server.
  readonly #server: McpServerConnection;
  readonly #sessions: McpSessions;
  readonly #calls: ServerCalls;
  /** The tools of each list. A server has one list for each credential. */
  readonly #callbacks = remembered((tools: readonly Tool[]) => this.#callbacksOf(tools));

  constructor(server: McpServerConnection, sessions: McpSessions) {
    super();
    this.#server = server;
    this.#sessions = sessions;
    const { name, required = false, prefix = 'collision' } = server;
    this.displayName = `MCP server '${name}'`;
    this.required = required;
    this.prefix = prefix === 'never' ? '' : toolPrefixOf(name);
    this.prefixWhen = prefix === 'collision' ? 'collision' : 'always';
    this.#calls = new ServerCalls(server, sessions);
  }

  /** @throws McpConnectionException if the server cannot be used now */
  async getToolCallbacks(_registered?: RegisteredTools, request?: unknown): Promise<readonly ToolCallback[]> {
    const list = async (): Promise<readonly Tool[]> =>
      (await this.#sessions.session(this.#server.name, request)).tools();
    const tools = await list().catch((error: unknown) => {
      if (neverRan(error) || (error as McpConnectionException).status === 400) return list();
      throw error;
    });
    return this.#callbacks(tools);
  }

  #callbacksOf(tools: readonly Tool[]): readonly ToolCallback[] {
    const { include = [], exclude = [] } = this.#server;
    const named = new Map<string, Tool>();
    for (const tool of tools) {
      const isIncluded = include.length === 0 || matchesAny(include, tool.name);
      const isUsed = tool.name !== '' && isIncluded && !matchesAny(exclude, tool.name);
      if (isUsed && !named.has(tool.name)) named.set(tool.name, tool);
    }
    return [...named.values()].map(
      (tool) => new McpToolCallback(this.#calls, tool, toToolName(tool.name, this.prefix)),
    );
  }
}
