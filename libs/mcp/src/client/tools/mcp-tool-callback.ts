import type { Tool, ToolAnnotations } from '@modelcontextprotocol/client';
import { FunctionToolCallback, type ToolContext } from '@nestor-ai/core';
import { toToolResult } from '../../content/to-tool-result.js';
import { isInputRequired } from './input-required.js';
import type { ServerCalls } from './server-calls.js';

/**
 * What a server says about a tool, in `toolMetadata.mcp`. Nestor does not rely on any of it: trust
 * labels come from your configuration.
 */
export interface McpToolMetadata {
  /** The name of the server in your application. */
  readonly server: string;
  /** The name that the server uses. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** Hints, such as `readOnlyHint`. */
  readonly annotations?: ToolAnnotations;
}

/** A tool of an MCP server. Calls use the credential of the caller's request. */
export class McpToolCallback extends FunctionToolCallback<Record<string, unknown>> {
  /** @param name the name for models, see `toToolName` */
  constructor(calls: ServerCalls, tool: Tool, name: string) {
    const { description, title, annotations } = tool;
    const mcp: McpToolMetadata = {
      server: calls.server.name,
      name: tool.name,
      ...(title !== undefined && { title }),
      ...(annotations && { annotations }),
    };
    // The SDK would check results with an engine for patterns that a server can block for hours.
    const { outputSchema: _unchecked, ...toolDefinition } = tool;
    super({
      name,
      description: description ?? title ?? '',
      inputSchema: tool.inputSchema,
      toolMetadata: { returnDirect: false, mcp: Object.freeze(mcp) },
      toolFunction: (input: Record<string, unknown>, context: ToolContext) =>
        calls.run(this.toolDefinition, context, async ({ client }, options, retry) => {
          const params = { name: tool.name, arguments: input, ...retry };
          const result = await client.callTool(params, { ...options, toolDefinition, allowInputRequired: true });
          return isInputRequired(result) ? result : toToolResult(result);
        }),
    });
  }
}
