import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, UserMessage } from './messages.js';
import { Prompt } from './prompt.js';

describe('Prompt', () => {
  it('makes a user message of a text', () => {
    expect(new Prompt('Hello').messages).toEqual([new UserMessage('Hello')]);
  });

  it('accepts messages as plain JSON and completes what they leave out', () => {
    const prompt = new Prompt([
      { role: 'user', text: 'Hi' },
      { role: 'assistant', toolCalls: [{ id: '1', name: 'a', arguments: '{}' }] },
      { role: 'assistant', text: 'Done' },
    ]);
    expect(prompt.messages[1]).toMatchObject({ role: 'assistant', text: '' });
    expect(prompt.messages[2]).toMatchObject({ text: 'Done', toolCalls: [] });
  });

  it('survives a round trip through JSON', () => {
    const messages = [new UserMessage('Hi'), new AssistantMessage({ text: 'Hello', reasoning: 'They greet.' })];
    expect(new Prompt(JSON.parse(JSON.stringify(messages)) as never).messages).toEqual(
      JSON.parse(JSON.stringify(messages)),
    );
  });

  it.each([
    [{ role: 'robot', text: 'x' }, /role of 'system', 'user', 'assistant' or 'tool', but has "robot"/],
    [{ role: 'user' }, /role 'user' needs a string 'text'/],
    [{ role: 'tool' }, /needs an array 'responses'/],
    [undefined, /needs a role/],
    [null, /needs a role/],
  ])('refuses %j as a message', (message, error) => {
    expect(() => new Prompt([message as never])).toThrow(error);
  });

  it('takes JSON for the messages of a copy as well', () => {
    const { messages } = new Prompt('Hello').with({ messages: [{ role: 'assistant', text: 'x' }] });
    expect(messages).toEqual([new AssistantMessage('x')]);
  });

  it('gives a copy with other messages or options', () => {
    const prompt = new Prompt('Hello', { topK: 1 });
    const changed = prompt.with({ options: { topK: 2 } });
    expect(changed.messages).toEqual(prompt.messages);
    expect(changed.options).toEqual({ topK: 2 });
    expect(changed).toBeInstanceOf(Prompt);
  });
});
