import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import {
  type ContentPart,
  describeContentPart,
  toJsonValue,
  type ToolDefinition,
  type ToolResponse,
} from '@nestor-ai/core';

/** The result of a tool call for an MCP client. */
export function toCallToolResult(response: ToolResponse, { outputSchema }: ToolDefinition): CallToolResult {
  const { responseData, content = [], isError, value } = response;
  const hasStructure = outputSchema !== undefined && !isError && value !== undefined;
  return {
    content: [...(responseData === '' ? [] : [textOf(responseData)]), ...content.map(toContentBlock)],
    ...(hasStructure && { structuredContent: toJsonValue(value) }),
    ...(isError && { isError }),
  };
}

/** The result of a call that did not run. */
export function toFailure(text: string): CallToolResult {
  return { content: [textOf(text)], isError: true };
}

function textOf(text: string): ContentBlock {
  return { type: 'text', text };
}

function toContentBlock(part: ContentPart): ContentBlock {
  if (part.type === 'text') return textOf(part.text);
  const { mimeType } = part;
  const name = part.type === 'file' ? part.name : undefined;
  const bytes = inlineBytesOf(part.data);
  if (bytes === undefined) {
    // A path of this machine is of no use to a client.
    if (!/^https?:/.test(String(part.data))) return textOf(`[${name ?? mimeType}: not available to clients]`);
    return { type: 'resource_link', uri: String(part.data), name: name ?? describeContentPart(part), mimeType };
  }
  if (mimeType.startsWith('image/')) return { type: 'image', data: bytes, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data: bytes, mimeType };
  return {
    type: 'resource',
    resource: { uri: `file:///${encodeURIComponent(Buffer.from(name ?? 'file').toString())}`, mimeType, blob: bytes },
  };
}

/** The bytes as base64. Undefined for a file at an address. */
function inlineBytesOf(data: Uint8Array | string | URL): string | undefined {
  if (data instanceof Uint8Array) return Buffer.from(data).toString('base64');
  if (!(data instanceof URL)) return data;
  const [, encoding, content] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(data.href) ?? [];
  if (content === undefined) return undefined;
  // A URL is ASCII: each character is a byte. A % without digits is itself.
  const text = content.replace(/%([\da-f]{2})/gi, (_escape, byte: string) => String.fromCharCode(Number(`0x${byte}`)));
  return encoding ? text : Buffer.from(text, 'latin1').toString('base64');
}
