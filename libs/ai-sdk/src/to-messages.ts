import type {
  AssistantMessage,
  ContentPart,
  Media,
  Message,
  ToolCall,
  ToolResponse,
  UserMessage,
} from '@nestor-ai/core';
import { CONTENT_METADATA, type KeptContent } from './kept-content.js';
import { describeContent } from './tool-content.js';
import type {
  FileData,
  FilePart,
  ProviderData,
  SpecificationMessage,
  TextPart,
  ToolCallPart,
  ToolResultItem,
  ToolResultOutput,
  ToolResultPart,
} from './specification.js';

type Version = 'v3' | 'v4';
type AssistantContent = Extract<SpecificationMessage, { role: 'assistant' }>['content'];

/** The messages in the form of the specification. */
export function toSpecificationMessages(
  messages: readonly Message[],
  version: Version,
  takesToolContent: boolean,
): SpecificationMessage[] {
  return messages.map((message): SpecificationMessage => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.text };
      case 'user':
        return { role: 'user', content: userContent(message, version) };
      case 'assistant':
        return { role: 'assistant', content: assistantContent(message, version) };
      case 'tool':
        return {
          role: 'tool',
          content: message.responses.map((response) => toolResult(response, version, takesToolContent)),
        };
    }
  });
}

function userContent({ text, media = [] }: UserMessage, version: Version): (TextPart | FilePart)[] {
  const files = media.map((item) => filePart(item, version));
  return text === '' && files.length > 0 ? files : [{ type: 'text', text }, ...files];
}

function assistantContent(message: AssistantMessage, version: Version): AssistantContent {
  const kept = message.metadata?.[CONTENT_METADATA] as KeptContent | undefined;
  if (kept && fits(kept, message)) return kept.map((item) => ({ ...item, ...parsedInput(item) }));
  return [
    ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
    ...(message.media ?? []).map((item) => filePart(item, version)),
    ...message.toolCalls.map(toolCallPart),
  ];
}

/** Content that was kept is sent only while the message still says the same. */
function fits(kept: KeptContent, message: AssistantMessage): boolean {
  const text = kept.map((item) => (item.type === 'text' ? item.text : '')).join('');
  const calls = kept.flatMap((item) =>
    item.type === 'tool-call' ? [[item.toolCallId, item.toolName, item.input]] : [],
  );
  const now = message.toolCalls.map(({ id, name, arguments: input }) => [id, name, input]);
  return text === message.text && JSON.stringify(calls) === JSON.stringify(now);
}

function parsedInput(item: KeptContent[number]): { input?: unknown } {
  return item.type === 'tool-call' ? { input: parseArguments(item.input) } : {};
}

function toolCallPart(call: ToolCall): ToolCallPart {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: parseArguments(call.arguments),
    ...(call.providerMetadata && { providerOptions: call.providerMetadata as ProviderData }),
  };
}

/** Providers take objects only; what the model wrote and was no JSON is shown to it as it was. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { invalidArguments: text };
  } catch {
    return { invalidArguments: text };
  }
}

function toolResult(response: ToolResponse, version: Version, takesToolContent: boolean): ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: response.id,
    toolName: response.name,
    output: toolOutput(response, version, takesToolContent),
  };
}

function toolOutput(
  { responseData, isError, content }: ToolResponse,
  version: Version,
  takesToolContent: boolean,
): ToolResultOutput {
  // Not every provider sends the mark of an error, so the text says it as well.
  if (isError) {
    const text = describeContent(responseData, content ?? []);
    return { type: 'error-text', value: /^error\b/i.test(text) ? text : `Error: ${text}` };
  }
  if (!content || content.length === 0) return { type: 'text', value: responseData };
  if (!takesToolContent) return { type: 'text', value: describeContent(responseData, content) };
  const items = content.map((part) => resultItem(part, version));
  return { type: 'content', value: responseData === '' ? items : [{ type: 'text', text: responseData }, ...items] };
}

function resultItem(part: ContentPart, version: Version): ToolResultItem {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const filename = part.type === 'file' && part.name !== undefined ? { filename: part.name } : {};
  if (version === 'v4') {
    const data: FileData =
      part.data instanceof URL ? { type: 'url', url: part.data } : { type: 'data', data: base64(part.data) };
    return { type: 'file', mediaType: part.mimeType, data, ...filename };
  }
  const kind = part.type;
  if (part.data instanceof URL) return { type: `${kind}-url`, url: part.data.href };
  return { type: `${kind}-data`, mediaType: part.mimeType, data: base64(part.data), ...filename };
}

function filePart(media: Media, version: Version): FilePart {
  return {
    type: 'file',
    mediaType: media.mimeType,
    data: fileData(media.data, version),
    ...(media.name !== undefined && { filename: media.name }),
  };
}

function fileData(data: Media['data'], version: Version): FileData {
  if (version === 'v3') return data;
  return data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
}

function base64(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}
