import { describe, expect, it } from '@jest/globals';
import { ChatResponse } from './chat-response.js';
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
  ])('knows what the model has to answer to: %s', (_what, messages, expected) => {
    expect(new Prompt(messages).lastUserOrToolResponseMessage).toBe(expected);
  });

  it('knows what the user said last and what the application said first', () => {
    const prompt = new Prompt([U1, S, U2, new SystemMessage('other')]);
    expect(prompt.userMessage).toEqual(U2);
    expect(prompt.systemMessage).toEqual(S);
    expect(new Prompt([]).userMessage).toBeUndefined();
    expect(new Prompt([]).systemMessage).toBeUndefined();
  });

  it('may be given other words of the user, which keep what they came with', () => {
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

  it('may be given other instructions, at the beginning where there were none', () => {
    expect(new Prompt([U1, S]).augmentSystemMessage('new').messages).toEqual([U1, new SystemMessage('new')]);
    expect(new Prompt([U1]).augmentSystemMessage('new').messages).toEqual([new SystemMessage('new'), U1]);
    const louder = new Prompt([S]).augmentSystemMessage(({ text }) => new SystemMessage(`${text}!`));
    expect(louder.systemMessage?.text).toBe('S!');
  });
});

describe('a response', () => {
  it('knows whether it ended for one of some reasons', () => {
    const of = (...reasons: (string | undefined)[]): ChatResponse =>
      new ChatResponse({
        results: reasons.map((finishReason) => ({ output: A, ...(finishReason && { metadata: { finishReason } }) })),
      });
    expect(of('stop').hasFinishReasons(['length', 'stop'])).toBe(true);
    expect(of(undefined, 'length').hasFinishReasons(new Set(['length']))).toBe(true);
    expect(of('stop').hasFinishReasons(['length'])).toBe(false);
    expect(of().hasFinishReasons(['stop'])).toBe(false);
  });
});
