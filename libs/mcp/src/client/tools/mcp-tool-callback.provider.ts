import { Injectable } from '@nestjs/common';
import { type RegisteredTools, type ToolCallback, ToolCallbackProvider } from '@nestor-ai/core';
import { McpSessions } from '../connection/mcp-session.js';
import { ServerAccessProvider } from './server-access.provider.js';
import { ServerToolProvider } from './server-tool.provider.js';

/**
 * The tools of all MCP servers, which belong to the tools of the application. Pass it to
 * `.tools(…)` for a request with these tools only.
 *
 * Each server is a part of its own: if one fails, `ToolProviderStatus` reports that server, and
 * requests go on without its tools.
 */
@Injectable()
export class McpToolCallbackProvider extends ToolCallbackProvider {
  override readonly perRequest = true;
  override readonly parts: readonly ToolCallbackProvider[];

  constructor(sessions: McpSessions) {
    super();
    this.parts = sessions.servers.flatMap((server) => [
      new ServerToolProvider(server, sessions),
      ...(server.resourceTools || server.promptTools ? [new ServerAccessProvider(server, sessions)] : []),
    ]);
  }

  /**
   * @throws McpConnectionException if a server cannot be used now
   */
  async getToolCallbacks(registered?: RegisteredTools, request?: unknown): Promise<readonly ToolCallback[]> {
    const tools = await Promise.all(this.parts.map((part) => part.getToolCallbacks(registered, request)));
    return tools.flat();
  }
}
