import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, type Message, SystemMessage, ToolResponseMessage, UserMessage } from './messages.js';
import { Prompt } from './prompt.js';

const S = new SystemMessage('S');
const U1 = new UserMessage('U1');
const U2 = new UserMessage({ text: 'U2', metadata: { id: 2 } });
const A = new AssistantMessage('A');
const T = new ToolResponseMessage({ responses: [] });

describe('a prompt', () => {
  it.each<[string, Message[], Message | undefined]>([
    ['a question', [S, U1], U1],
    ['the last of several', [U1, A, U2], U2],
    ['the responses of tools', [U1, A, T], T],
    ['a question after responses', [U1, A, T, U2], U2],
    ['a question before an answer', [U1, A], U1],
    ['responses before an answer', [U1, A, T, A], T],
    ['nothing', [S, A], undefined],
  ])('finds the message that the model must answer: %s', (_what, messages, expected) => {
    expect(new Prompt(messages).lastUserOrToolResponseMessage).toBe(expected);
  });

  it('has messages whose text can be read whatever their role', () => {
    const texts: (string | undefined)[] = new Prompt([S, U1, A, T]).messages.map((message) => message.text);
    expect(texts).toEqual(['S', 'U1', 'A', undefined]);
    expect(Object.keys(T)).not.toContain('text');
  });

  it('finds the last user message and the first system message', () => {
    const prompt = new Prompt([U1, S, U2, new SystemMessage('other')]);
    expect(prompt.userMessage).toEqual(U2);
    expect(prompt.systemMessage).toEqual(S);
    expect(new Prompt([]).userMessage).toBeUndefined();
    expect(new Prompt([]).systemMessage).toBeUndefined();
  });

  it('can change the text of the user message and keep its other properties', () => {
    const prompt = new Prompt([U1, A, U2], { topK: 1 });
    expect(prompt.augmentUserMessage('new').messages).toEqual([
      U1,
      A,
      new UserMessage({ text: 'new', metadata: { id: 2 } }),
    ]);
    const louder = prompt.augmentUserMessage(({ text }) => new UserMessage(`${text}!`));
    expect(louder.userMessage?.text).toBe('U2!');
    expect(louder.options).toEqual({ topK: 1 });
    expect(prompt.userMessage).toEqual(U2);
    expect(new Prompt([A]).augmentUserMessage('new').messages).toEqual([A, new UserMessage('new')]);
  });

  it('can change the system message, or add one at the beginning', () => {
    expect(new Prompt([U1, S]).augmentSystemMessage('new').messages).toEqual([U1, new SystemMessage('new')]);
    expect(new Prompt([U1]).augmentSystemMessage('new').messages).toEqual([new SystemMessage('new'), U1]);
    const louder = new Prompt([S]).augmentSystemMessage(({ text }) => new SystemMessage(`${text}!`));
    expect(louder.systemMessage?.text).toBe('S!');
  });

  it('converts a text to a user message', () => {
    expect(new Prompt('Hello').messages).toEqual([new UserMessage('Hello')]);
  });

  it('accepts messages as plain JSON and adds missing fields', () => {
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
    [{ role: 'robot', text: 'x' }, /must be 'system', 'user', 'assistant' or 'tool', but is "robot"/],
    [{ role: 'user' }, /role 'user' needs a string 'text'/],
    [{ role: 'tool' }, /needs an array 'responses'/],
    [undefined, /The role of a message must be/],
    [null, /The role of a message must be/],
  ])('refuses %j as a message', (message, error) => {
    expect(() => new Prompt([message as never])).toThrow(error);
  });

  it('accepts JSON messages for a copy as well', () => {
    const { messages } = new Prompt('Hello').with({ messages: [{ role: 'assistant', text: 'x' }] });
    expect(messages).toEqual([new AssistantMessage('x')]);
  });

  it('returns a copy with other messages or options', () => {
    const prompt = new Prompt('Hello', { topK: 1 });
    const changed = prompt.with({ options: { topK: 2 } });
    expect(changed.messages).toEqual(prompt.messages);
    expect(changed.options).toEqual({ topK: 2 });
    expect(changed).toBeInstanceOf(Prompt);
  });
});
