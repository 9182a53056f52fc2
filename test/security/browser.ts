import { Body, Controller, type ModuleMetadata, Post, RequestMethod, Sse } from '@nestjs/common';
import { type AiModule, ChatClient, toSse } from '@nestor-ai/core';
import { toUIMessageStreamResponse, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { allEvents, serve } from '../recipes/http-application.js';

/** A message as a browser sends it; what is none is for attackers. */
export interface SentMessage {
  readonly role: string;
  readonly parts: readonly object[];
}

/** What the user says. */
export function says(text: string, ...parts: readonly object[]): SentMessage {
  return { role: 'user', parts: [{ type: 'text', text }, ...parts] };
}

/** What a page shows of a tool, or pretends to. */
export function toolPart(name: string, part: object): object {
  return { type: `tool-${name}`, toolCallId: 'call-1', state: 'input-available', input: {}, ...part };
}

/** A chat without memory, for `useChat()` and for server-sent events. */
@Controller()
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post('chat')
  chat(@Body('messages') messages: UIMessageInput[]): Response {
    return toUIMessageStreamResponse(withUIMessages(this.chatClient.prompt(), messages).stream().events());
  }

  @Sse('sse', { method: RequestMethod.POST })
  sse(@Body('messages') messages: UIMessageInput[]): ReturnType<typeof toSse> {
    return toSse(withUIMessages(this.chatClient.prompt(), messages).stream().events());
  }
}

/** A chunk of the UI stream, or a server-sent event with its type. */
type Chunk = Readonly<Record<string, unknown>>;

/** Opens a page of a whole application that listens. */
export async function openPage(
  metadata: ModuleMetadata,
  script: readonly ScriptEntry[],
  ai: Parameters<typeof AiModule.forRoot>[0] = {},
) {
  const model = new ScriptedChatModel(script);
  const { app, url } = await serve(model, { controllers: [ChatController], ...metadata }, { ai });
  const post = (path: string, messages: readonly SentMessage[]): [string, RequestInit] => [
    `${url}/${path}`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ messages }) },
  ];
  return {
    app,
    model,
    /** All that the page is sent, chunk by chunk. */
    read: async (messages: readonly SentMessage[], path = 'chat'): Promise<Chunk[]> => {
      const events = await allEvents(...post(path, messages));
      return events.flatMap(({ type, data }) => {
        if (typeof data !== 'object') return [];
        return [{ ...(type !== 'message' && { type }), ...data }];
      });
    },
    /** The status and the body of the answer. */
    send: async (messages: readonly SentMessage[], path = 'chat'): Promise<{ status: number; body: string }> => {
      const response = await fetch(...post(path, messages));
      return { status: response.status, body: await response.text() };
    },
  };
}

export type Page = Awaited<ReturnType<typeof openPage>>;

/** The chunks or events that are about tool calls. */
export function aboutTools(chunks: readonly Chunk[]): Chunk[] {
  return chunks.filter(({ type }) => String(type).startsWith('tool-'));
}
