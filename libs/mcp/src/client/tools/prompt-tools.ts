import type { Prompt } from '@modelcontextprotocol/client';
import { type ContentPart, FunctionToolCallback, type ToolCallback, ToolResult } from '@nestor-ai/core';
import { readContent } from '../../content/read-content.js';
import { isInputRequired } from './input-required.js';
import { ACCESS_METADATA, PAGE_SCHEMA, pageParams, pageText } from './access-tool.js';
import type { ServerCalls } from './server-calls.js';

/** Two tools: one lists the prompts of a server, one gets the messages of a prompt. */
export function promptToolsOf(calls: ServerCalls): readonly ToolCallback[] {
  const { name } = calls.server;
  const list: FunctionToolCallback<{ cursor?: string }> = new FunctionToolCallback({
    name: 'list_prompts',
    description: `Lists the prompts of the MCP server '${name}' with their arguments, page by page.`,
    inputSchema: PAGE_SCHEMA,
    toolMetadata: ACCESS_METADATA,
    toolFunction: (input, context) =>
      calls.run(list.toolDefinition, context, async ({ client }, options) => {
        const { prompts, nextCursor } = await client.request(
          { method: 'prompts/list', params: pageParams(input) },
          options,
        );
        return new ToolResult({ text: pageText(prompts.map(describePrompt), 'prompts', nextCursor) });
      }),
  });
  const get: FunctionToolCallback<{ name: string; arguments?: Record<string, string> }> = new FunctionToolCallback({
    name: 'get_prompt',
    description: `Gets the messages of a prompt of the MCP server '${name}'.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the prompt' },
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['name'],
      additionalProperties: false,
    },
    toolMetadata: ACCESS_METADATA,
    toolFunction: (params, context) =>
      calls.run(get.toolDefinition, context, async ({ client }, options, retry) => {
        const result = await client.getPrompt({ ...params, ...retry }, { ...options, allowInputRequired: true });
        if (isInputRequired(result)) return result;
        return toPromptResult(result.messages.map(({ role, content }) => ({ role, ...readContent([content]) })));
      }),
  });
  return [list, get];
}

function describePrompt({ name, description, arguments: args = [] }: Prompt): string {
  const names = args.map((argument) => (argument.required ? argument.name : `${argument.name}?`)).join(', ');
  return `${name}(${names})${description ? `: ${description}` : ''}`;
}

function toPromptResult(
  messages: readonly { readonly role: string; readonly text: string; readonly parts: readonly ContentPart[] }[],
): ToolResult {
  const content = messages.flatMap(({ parts }) => parts);
  return new ToolResult({
    text: messages.map(({ role, text }) => `${role}: ${text}`).join('\n\n') || 'The prompt has no messages.',
    ...(content.length > 0 && { content }),
  });
}
