import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { AppModule } from '../src/app.module.js';

let app: INestApplication<App>;
const model = new ScriptedChatModel([{ toolCalls: [toolCall('weather', { city: 'Oslo' })] }, 'Take sunglasses.']);

beforeEach(async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  app = module.createNestApplication();
  await app.init();
});
afterEach(() => app.close());

test('the model uses the tool of the server', async () => {
  await request(app.getHttpServer()).post('/chat').send({ message: 'How is the weather?' }).expect(200);
  expect(model.toolResponses).toEqual([expect.stringContaining('It is sunny in Oslo')]);
});
