import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller, Get, Sse } from '@nestjs/common';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { ChatClient, toSse } from '@nestor-ai/core';
import { eventsOf, serve, signalled } from '../recipes/http-application.js';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

/** A provider that speaks one word after the other in lines of JSON, and never comes to an end. */
let provider: Server;
const connectionLost = signalled();
beforeAll(async () => {
  provider = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"text":"Once "}\n{"text":"upon "}\n');
    response.on('close', connectionLost.give);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  const closed = new Promise((resolve) => provider.close(resolve));
  provider.closeAllConnections();
  await closed;
});

/** Reads its answers as the Ollama provider does: a cancel of its stream cancels the body, and does not wait for what becomes of it. */
class NdjsonModel {
  readonly specificationVersion = 'v3';
  readonly provider = 'ollama';
  readonly modelId = 'llama-test';

  doGenerate(): Promise<never> {
    return Promise.reject(new Error('This model only streams.'));
  }

  async doStream({ abortSignal }: { abortSignal?: AbortSignal | undefined }) {
    const { port } = provider.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, { ...(abortSignal && { signal: abortSignal }) });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const lines = new ReadableStream<string>({
      async pull(controller) {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          for (const line of next.value.split('\n')) if (line) controller.enqueue(line);
        }
        controller.close();
      },
      cancel() {
        void reader.cancel();
      },
    });
    const stream = lines.pipeThrough(
      new TransformStream<string, { type: string; id: string; delta: string }>({
        transform(line, controller) {
          const { text } = JSON.parse(line) as { text: string };
          controller.enqueue({ type: 'text-delta', id: '0', delta: text });
        },
      }),
    );
    return { stream };
  }
}

it('a browser that leaves ends the call to a provider whose stream cannot be cancelled, and not the process', async () => {
  @Controller()
  class ChatController {
    constructor(private readonly client: ChatClient) {}

    @Get()
    @Sse()
    tell() {
      return toSse(this.client.prompt('Tell a story').stream().events());
    }
  }
  const { url } = await serve(new AiSdkChatModel(new NdjsonModel()), { controllers: [ChatController] });

  for await (const { type } of eventsOf(url)) if (type === 'text') break;

  await connectionLost.seen;
  await setImmediate();
  expect(unhandled).toEqual([]);
});
