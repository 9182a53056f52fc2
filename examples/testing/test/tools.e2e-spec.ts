import { describe, expect, test } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { overrideTool, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { AppModule } from '../src/app.module.js';
import { SupportService } from '../src/support.service.js';
import { createSupportApp } from './support-app.js';

const findAccount = (email: string) => ({ toolCalls: [toolCall('findAccount', { email })] });

describe('findAccount', () => {
  test('gives the model the account', async () => {
    const { model, support } = await createSupportApp([findAccount('ann@example.com'), 'Ann has an account.']);
    const response = await support.ask('Is Ann a customer?');
    expect(response?.text).toBe('Ann has an account.');
    expect(model.toolResponses).toEqual(['{"email":"ann@example.com","plan":"pro"}']);
  });

  test('tells the model that there is no such account', async () => {
    const { model, support } = await createSupportApp([findAccount('eve@example.com'), 'She is not.']);
    await support.ask('Is Eve a customer?');
    expect(model.toolResponses).toEqual(['There is no account eve@example.com']);
  });

  test('does not run with an address that is none', async () => {
    const { model, support } = await createSupportApp([findAccount('ann'), 'What is her address?']);
    await support.ask('Is Ann a customer?');
    expect(model.toolResponses[0]).toContain('email must be an email');
  });

  test('can be replaced, so that no database is needed', async () => {
    const model = new ScriptedChatModel([findAccount('zoe@example.com'), 'She is.']);
    const builder = Test.createTestingModule({ imports: [AppModule] });
    builder.overrideProvider(ChatModel).useValue(model);
    overrideTool(builder, 'findAccount').useValue(({ email }: { email: string }) => ({ email, plan: 'free' }));
    const module = await builder.compile();
    await module.init();
    await module.get(SupportService).ask('Is Zoe a customer?');
    expect(model.toolResponses).toEqual(['{"email":"zoe@example.com","plan":"free"}']);
  });
});
