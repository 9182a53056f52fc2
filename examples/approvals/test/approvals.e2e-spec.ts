import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type INestApplication, ValidationPipe } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { AppModule } from '../src/app.module.js';

let model: ScriptedChatModel;
let app: INestApplication<App>;
let turnId: string;

const as = (user: string) => ({
  get: (path: string) => request(app.getHttpServer()).get(path).set('x-user', user),
  post: (path: string) => request(app.getHttpServer()).post(path).set('x-user', user),
  delete: (path: string) => request(app.getHttpServer()).delete(path).set('x-user', user),
});

beforeEach(async () => {
  model = new ScriptedChatModel([
    { toolCalls: [toolCall('transfer', { amount: 500, to: 'Dora' }, 'call-1')] },
    'Dora has her money.',
  ]);
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  app = module.createNestApplication();
  app.useGlobalPipes(new ValidationPipe());
  await app.init();
  const { body } = await as('ann').post('/chat').send({ message: 'Send Dora 500' }).expect(200);
  turnId = body.waits;
});
afterEach(() => app.close());

test('another approver approves', async () => {
  const { body } = await as('bob').post(`/approvals/${turnId}/call-1/approve`).expect(200);
  expect(body).toEqual({ answer: 'Dora has her money.' });
  expect(model.toolResponses).toEqual(['500 euros transferred to Dora']);
});

test('nobody approves what they have asked for, and only approvers approve', async () => {
  await as('ann').post(`/approvals/${turnId}/call-1/approve`).expect(403);
  await as('carl').post(`/approvals/${turnId}/call-1/approve`).expect(403);
  expect((await as('bob').get('/approvals')).body).toHaveLength(1);
});

test('the model reads why a call is denied', async () => {
  await as('bob').post(`/approvals/${turnId}/call-1/deny`).send({ reason: 'Too much' }).expect(200);
  expect(model.toolResponses[0]).toContain('Too much');
});

test('only users who may read a turn see it', async () => {
  const [turn] = (await as('bob').get('/approvals')).body;
  expect(turn).toMatchObject({ id: turnId, requester: 'ann', calls: [{ name: 'transfer' }] });
  expect((await as('carl').get('/approvals')).body).toEqual([]);
});

test('only the user who asked withdraws', async () => {
  await as('bob').delete(`/approvals/${turnId}`).expect(403);
  await as('ann').delete(`/approvals/${turnId}`).expect(204);
  await as('bob').post(`/approvals/${turnId}/call-1/approve`).expect(404);
});
