import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import type { App } from 'supertest/types.js';
import request from 'supertest';
import { AppModule } from '../src/app.module.js';

const model = new ScriptedChatModel([{ toolCalls: [toolCall('findOrder', { id: 7 })] }, 'It is on its way with DHL.']);
let app: INestApplication<App>;

beforeAll(async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  app = module.createNestApplication();
  await app.init();
});
afterAll(() => app.close());

test('the model answers with what it reads in the order', async () => {
  const { body } = await request(app.getHttpServer()).post('/chat').send({ message: 'Where is order 7?' }).expect(200);
  expect(body).toEqual({ answer: 'It is on its way with DHL.' });
  expect(model.toolResponses).toEqual(['{"id":7,"status":"shipped","carrier":"DHL"}']);
});
