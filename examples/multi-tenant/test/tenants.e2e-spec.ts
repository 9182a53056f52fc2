import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { AppModule } from '../src/app.module.js';
import { TenantStrategy } from '../src/tenant/tenant.strategy.js';

const round = [{ toolCalls: [toolCall('listInvoices')] }, 'Here they are.'];
const model = new ScriptedChatModel([...round, ...round]);
let app: INestApplication<App>;

beforeAll(async () => {
  ContextIdFactory.apply(new TenantStrategy());
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  app = module.createNestApplication({ logger: ['error'] });
  await app.init();
});
afterAll(() => app.close());

test('the model only reads invoices of the tenant that asks', async () => {
  const ask = async (tenant: string) => {
    await request(app.getHttpServer()).post('/chat').set('x-tenant', tenant).send({ message: 'Invoices?' }).expect(200);
    return model.toolResponses;
  };
  expect(await ask('acme')).toEqual(['{"invoices":[{"id":1,"total":120},{"id":2,"total":80}]}']);
  expect(await ask('globex')).toEqual(['{"invoices":[{"id":3,"total":999}]}']);
});
