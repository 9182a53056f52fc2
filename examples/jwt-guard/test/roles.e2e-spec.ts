import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { AppModule } from '../src/app.module.js';

let model: ScriptedChatModel;
let app: INestApplication<App>;

beforeEach(async () => {
  model = new ScriptedChatModel([{ toolCalls: [toolCall('deleteArticle', { id: 2 })] }, 'I have tried.']);
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  app = module.createNestApplication();
  await app.init();
});
afterEach(() => app.close());

async function askAs(user: string) {
  const { text: token } = await request(app.getHttpServer()).post('/login').send({ user, password: user }).expect(200);
  await request(app.getHttpServer())
    .post('/chat')
    .set('authorization', `Bearer ${token}`)
    .send({ message: 'Delete article 2' })
    .expect(200);
}

test('an admin may have an article deleted', async () => {
  await askAs('ann');
  expect(model.toolResponses).toEqual(['Article 2 is deleted']);
});

test('nobody else may', async () => {
  await askAs('bob');
  expect(model.toolResponses).toEqual(['Only these roles may do this: admin']);
});

test('a request without a token does not reach the model', async () => {
  await request(app.getHttpServer()).post('/chat').send({ message: 'Delete article 2' }).expect(401);
  expect(model.prompts).toEqual([]);
});
