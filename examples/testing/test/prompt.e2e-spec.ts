import { expect, test } from '@jest/globals';
import { offeredToolDefinitions } from '@nestor-ai/core';
import { createSupportApp } from './support-app.js';

test('the model reads your instructions and the question', async () => {
  const { model, support } = await createSupportApp(['Hello.']);
  await support.ask('Hi');
  expect(model.lastPrompt?.systemMessage?.text).toContain('Never name the plan');
  expect(model.lastPrompt?.userMessage?.text).toBe('Hi');
});

test('the model is offered both tools, with the rules of their arguments', async () => {
  const { model, support } = await createSupportApp(['Hello.']);
  await support.ask('Hi');
  const tools = offeredToolDefinitions(model.lastPrompt?.options);
  expect(tools.map(({ name }) => name)).toEqual(['findAccount', 'closeAccount']);
  expect(tools[0]?.inputSchema).toMatchObject({
    properties: { email: { type: 'string', format: 'email' } },
    required: ['email'],
  });
});
