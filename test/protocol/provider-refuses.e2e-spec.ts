import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { ConsoleLogger, Controller, Get, Logger } from '@nestjs/common';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { ChatClient, ChatModelException } from '@nestor-ai/core';
import { serve } from '../recipes/http-application.js';

const SAID = 'Incorrect API key provided: sk-proj-1';

/** A provider that refuses every request, and quotes the key. */
let provider: Server;
beforeAll(async () => {
  provider = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(JSON.stringify({ error: { message: SAID, type: 'invalid_request_error', code: 'invalid_api_key' } }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  const closed = new Promise((resolve) => provider.close(resolve));
  provider.closeAllConnections();
  await closed;
});
afterEach(() => {
  jest.restoreAllMocks();
  Logger.overrideLogger(false);
});

it('the status and the words of a provider that refuses reach neither the client of the application nor the log', async () => {
  let failure: unknown;
  @Controller()
  class ChatController {
    constructor(private readonly client: ChatClient) {}

    @Get()
    async ask() {
      try {
        return await this.client.prompt('Hello').call().content();
      } catch (error) {
        failure = error;
        throw error;
      }
    }
  }
  const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const { url } = await serve(new AiSdkChatModel(createOpenAI({ apiKey: 'sk-proj-1', baseURL }).chat('gpt-test')), {
    controllers: [ChatController],
  });
  const printed: string[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  Logger.overrideLogger(new ConsoleLogger());

  const response = await fetch(url);

  // The provider says when to try again.
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ message: 'The model is not available now.' });
  expect(printed.join('')).toContain(
    `The call to the model 'gpt-test' of openai at ${baseURL} failed (status 401). Check the API key.`,
  );
  expect(printed.join('')).not.toContain('sk-proj');
  // Exception filters, of Nest 11 and of HTTP frameworks, take errors with these fields for answers.
  for (const field of ['statusCode', 'status', 'getStatus']) expect(failure).not.toHaveProperty(field);
  const { httpStatus, responseBody, responseHeaders } = failure as ChatModelException;
  expect(httpStatus).toBe(401);
  expect(responseBody).toContain(SAID);
  expect(responseHeaders).toMatchObject({ 'retry-after': '7' });
});
