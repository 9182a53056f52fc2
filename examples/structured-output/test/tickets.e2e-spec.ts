import { afterEach, expect, test } from '@jest/globals';

import { Test, type TestingModule } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AppModule } from '../src/app.module.js';
import { Ticket } from '../src/ticket.js';
import { TicketsService } from '../src/tickets.service.js';

const WRONG = '{"title":"Lamp","priority":"very high","products":[]}';
const RIGHT = '{"title":"Lamp","priority":"urgent","products":["lamp"]}';
let module: TestingModule | undefined;

async function ticketsWith(model: ChatModel) {
  module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  return module.get(TicketsService);
}
afterEach(() => module?.close());

test('an answer that does not fit goes back to the model', async () => {
  const model = new ScriptedChatModel([WRONG, RIGHT]);
  const tickets = await ticketsWith(model);
  const ticket = await tickets.fromMail('My lamp smokes!');
  expect(ticket).toBeInstanceOf(Ticket);
  expect(ticket).toEqual({ title: 'Lamp', priority: 'urgent', products: ['lamp'] });
  expect(model.lastPrompt?.userMessage?.text).toContain('priority must be one of');
});

test('an answer that never fits is an error', async () => {
  const tickets = await ticketsWith(new ScriptedChatModel([WRONG, WRONG, WRONG, WRONG]));
  await expect(tickets.fromMail('My lamp smokes!')).rejects.toThrow('priority');
});
