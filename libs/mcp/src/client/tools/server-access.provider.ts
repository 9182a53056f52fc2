import { ToolCallbackProvider, type ToolCallback } from '@nestor-ai/core';
import type { McpSessions } from '../connection/mcp-session.js';
import type { McpServerConnection } from '../mcp-client.options.js';
import { promptToolsOf } from './prompt-tools.js';
import { resourceToolsOf } from './resource-tools.js';
import { ServerCalls } from './server-calls.js';
import { toolPrefixOf } from './tool-name.js';

/**
 * Tools with which the model reads resources and prompts of a server. Their descriptions and labels
 * are ours; what they answer is untrusted.
 */
export class ServerAccessProvider extends ToolCallbackProvider {
  override readonly trusted = true;
  override readonly prefix: string;
  override readonly displayName: string;
  readonly #tools: readonly ToolCallback[];

  constructor(server: McpServerConnection, sessions: McpSessions) {
    super();
    this.prefix = toolPrefixOf(server.name);
    this.displayName = `MCP server '${server.name}' (resources and prompts)`;
    const calls = new ServerCalls(server, sessions);
    this.#tools = [
      ...(server.resourceTools ? resourceToolsOf(calls) : []),
      ...(server.promptTools ? promptToolsOf(calls) : []),
    ];
  }

  getToolCallbacks(): readonly ToolCallback[] {
    return this.#tools;
  }
}
