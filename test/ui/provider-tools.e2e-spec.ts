import { describe, expect, test } from '@jest/globals';
import { Body, Controller, Injectable, Post } from '@nestjs/common';
import { type AssistantMessage, ChatClient, Tool } from '@nestor-ai/core';
import { toUIMessageStreamResponse, type UIMessageChunk, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk as ChunkOfSdk } from 'ai';
import { serve } from '../recipes/http-application.js';

/** The compiler refuses this when a chunk of ours is none of the AI SDK. */
export const asChunkOfSdk = (chunk: UIMessageChunk): ChunkOfSdk => chunk;

@Injectable()
class Shop {
  @Tool()
  findOrder(id: string): object {
    return { id, total: 12.5 };
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post('chat')
  chat(@Body('messages') messages: UIMessageInput[]): Response {
    return toUIMessageStreamResponse(withUIMessages(this.chatClient.prompt(), messages).stream().events());
  }
}

const says = (text: string): UIMessage => ({ id: text, role: 'user', parts: [{ type: 'text', text }] });

/** A page that reads with the AI SDK. Gives all versions of the message that it shows. */
async function openPage(script: readonly ScriptEntry[]) {
  const model = new ScriptedChatModel(script);
  const { url } = await serve(model, { controllers: [ChatController], providers: [Shop] });
  const transport = new DefaultChatTransport({ api: `${url}/chat` });
  const ask = async (...messages: UIMessage[]): Promise<UIMessage[]> => {
    const stream = await transport.sendMessages({
      chatId: 'c',
      messages,
      abortSignal: undefined,
      trigger: 'submit-message',
      messageId: undefined,
    });
    const shown: UIMessage[] = [];
    for await (const message of readUIMessageStream({ stream, terminateOnError: true })) {
      shown.push(structuredClone(message));
    }
    return shown;
  };
  return { model, ask };
}

const partsOf = (message: UIMessage): object[] =>
  message.parts.map((part) => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)));

const FOUND = [{ url: 'https://nestjs.example/12', title: 'Nest 12' }];
const ANSWER: ScriptEntry = {
  streamToolInput: true,
  reasoning: 'I have to search.',
  providerToolCalls: [
    { id: 'srv-1', name: 'web_search', arguments: '{"query":"nest 12"}', result: FOUND },
    { id: 'srv-2', name: 'run_code', arguments: '{}', result: '/srv/secret: no such file', isError: true },
  ],
  text: 'Found it.',
  sources: [
    { type: 'url', id: 'src-1', url: 'https://nestjs.example/12', title: 'Nest 12', providerMetadata: { p: { k: 1 } } },
    { type: 'document', id: 'src-2', name: 'notes.pdf', mimeType: 'application/pdf' },
  ],
  media: [{ mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) }],
  toolCalls: [toolCall('findOrder', { id: 'order-7' }, 'call-1')],
};

describe('A page of the AI SDK', () => {
  test('shows tools of the provider, sources and files in one step with the answer', async () => {
    const { ask } = await openPage([ANSWER, 'It is 12.50.']);

    const shown = await ask(says('What is new?'));

    expect(partsOf(shown.at(-1)!)).toEqual([
      { type: 'step-start' },
      expect.objectContaining({ type: 'reasoning', text: 'I have to search.' }),
      {
        type: 'tool-web_search',
        toolCallId: 'srv-1',
        state: 'output-available',
        input: { query: 'nest 12' },
        output: FOUND,
        providerExecuted: true,
      },
      {
        type: 'tool-run_code',
        toolCallId: 'srv-2',
        state: 'output-error',
        input: {},
        errorText: 'The tool has failed.',
        providerExecuted: true,
      },
      expect.objectContaining({ type: 'text', text: 'Found it.' }),
      { type: 'source-url', sourceId: 'src-1', url: 'https://nestjs.example/12', title: 'Nest 12' },
      {
        type: 'source-document',
        sourceId: 'src-2',
        mediaType: 'application/pdf',
        title: 'notes.pdf',
        filename: 'notes.pdf',
      },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AQID' },
      expect.objectContaining({
        type: 'tool-findOrder',
        state: 'output-available',
        output: { id: 'order-7', total: 12.5 },
      }),
      { type: 'step-start' },
      expect.objectContaining({ type: 'text', text: 'It is 12.50.' }),
    ]);
  });

  test('shows the input of a tool while the model writes it', async () => {
    const { ask } = await openPage([ANSWER, 'It is 12.50.']);

    const shown = await ask(says('What is new?'));

    const inputs = (type: string): unknown[] =>
      shown.flatMap(({ parts }) =>
        parts.flatMap((part) => {
          const { state, input } = part as { state?: string; input?: unknown };
          return part.type === type && state === 'input-streaming' ? [input] : [];
        }),
      );
    expect(inputs('tool-findOrder')).toContainEqual({ id: 'o' });
    expect(inputs('tool-web_search')).toContainEqual({ query: 'nest 1' });
  });

  test('sends them back, and the model reads only the texts and the calls of our tools', async () => {
    const { ask, model } = await openPage([ANSWER, 'It is 12.50.', 'You are welcome.']);
    const question = says('What is new?');
    const answer = (await ask(question)).at(-1)!;
    const unfinished = { type: 'tool-findOrder', toolCallId: 'call-2', state: 'input-streaming', input: { id: 8 } };
    answer.parts.push(unfinished as never);

    await ask(question, answer, says('Thanks'));

    const { messages } = model.lastPrompt!;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(messages[1]).toMatchObject({ text: 'Found it.', toolCalls: [{ id: 'call-1', name: 'findOrder' }] });
    const { providerToolCalls, sources, media } = messages[1] as AssistantMessage;
    expect([providerToolCalls, sources, media]).toEqual([undefined, undefined, undefined]);
    expect(messages[3]).toMatchObject({ text: 'It is 12.50.', toolCalls: [] });
  });

  test('has each call once, if a model uses an id again in the next round', async () => {
    const again = (id: string): ScriptEntry => ({
      streamToolInput: true,
      toolCalls: [toolCall('findOrder', { id }, 'call_0')],
    });
    const { ask } = await openPage([again('a'), again('b'), 'Both.']);

    const { parts } = (await ask(says('Find both'))).at(-1)!;

    const outputs = parts.flatMap((part) => ('output' in part ? [part.output] : []));
    expect(outputs).toEqual([
      { id: 'a', total: 12.5 },
      { id: 'b', total: 12.5 },
    ]);
  });
});
