import { FunctionToolCallback, type ToolCallback, ToolResult } from '@nestor-ai/core';
import { describeResourceLink, readResourceContents } from '../../content/read-content.js';
import { isInputRequired } from './input-required.js';
import { ACCESS_METADATA, PAGE_SCHEMA, pageParams, pageText } from './access-tool.js';
import type { ServerCalls } from './server-calls.js';

/** Two tools: one lists the resources of a server, one reads a resource. */
export function resourceToolsOf(calls: ServerCalls): readonly ToolCallback[] {
  const { name } = calls.server;
  const list: FunctionToolCallback<{ cursor?: string }> = new FunctionToolCallback({
    name: 'list_resources',
    description: `Lists the resources of the MCP server '${name}', such as files and records, page by page.`,
    inputSchema: PAGE_SCHEMA,
    toolMetadata: ACCESS_METADATA,
    toolFunction: (input, context) =>
      calls.run(list.toolDefinition, context, async ({ client }, options) => {
        const { resources, nextCursor } = await client.request(
          { method: 'resources/list', params: pageParams(input) },
          options,
        );
        return new ToolResult({ text: pageText(resources.map(describeResourceLink), 'resources', nextCursor) });
      }),
  });
  const read: FunctionToolCallback<{ uri: string }> = new FunctionToolCallback({
    name: 'read_resource',
    description: `Reads a resource of the MCP server '${name}'.`,
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'The URI of the resource' } },
      required: ['uri'],
      additionalProperties: false,
    },
    toolMetadata: ACCESS_METADATA,
    toolFunction: (params, context) =>
      calls.run(read.toolDefinition, context, async ({ client }, options, retry) => {
        const uncached = { ...options, cacheMode: 'bypass', allowInputRequired: true } as const;
        const result = await client.readResource({ ...params, ...retry }, uncached);
        if (isInputRequired(result)) return result;
        const { text, parts } = readResourceContents(result.contents);
        return new ToolResult({ text: text || 'The resource is empty.', ...(parts.length > 0 && { content: parts }) });
      }),
  });
  return [list, read];
}
