import { describe, expect, it } from '@jest/globals';
import { fromMessageJson, toMessageJson } from '../memory/message-json.js';
import { ChatResponse } from './chat-response.js';
import { AssistantMessage, type Message, SystemMessage, ToolResponseMessage, UserMessage } from './messages.js';
import { asUntrusted, asUntrustedResponse, hasUntrusted, isUntrusted } from './untrusted.js';

const response = { id: '1', name: 'fetch', responseData: 'a page' };
const MESSAGES: readonly Message[] = [
  new SystemMessage('Be kind.'),
  new UserMessage({ text: 'Hi', metadata: { from: 'ada' } }),
  new AssistantMessage({ text: 'Hello', toolCalls: [{ id: '1', name: 'fetch', arguments: '{}' }] }),
  new ToolResponseMessage({ responses: [response] }),
  { role: 'user', text: 'as JSON' },
];

describe('an untrusted message', () => {
  it.each(MESSAGES.map((message) => [message.role, message] as const))(
    'is marked and otherwise unchanged: %s',
    (_role, message) => {
      const marked = asUntrusted(message);
      expect([isUntrusted(message), isUntrusted(marked)]).toEqual([false, true]);
      expect({ ...toMessageJson(marked) }).toEqual({
        ...toMessageJson(message),
        metadata: { ...message.metadata, untrusted: true },
      });
      expect(marked.constructor).toBe(message.constructor);
      expect(asUntrusted(marked)).toBe(marked);
    },
  );

  it('may be a tool message with an untrusted response', () => {
    const answered = new ToolResponseMessage({ responses: [response, { ...response, id: '2', untrusted: true }] });
    expect(isUntrusted(answered)).toBe(true);
    expect(hasUntrusted([...MESSAGES, answered])).toBe(true);
    expect(hasUntrusted(MESSAGES)).toBe(false);
  });

  it('stays marked after it was stored as JSON', () => {
    const answered = new ToolResponseMessage({ responses: [{ ...response, untrusted: true }] });
    for (const message of [...MESSAGES.map(asUntrusted), answered]) {
      const stored = JSON.parse(JSON.stringify(toMessageJson(message)));
      expect(isUntrusted(fromMessageJson(stored))).toBe(true);
    }
  });
});

describe('a response', () => {
  it('is returned unchanged if all its messages are marked', () => {
    const results = [{ output: new AssistantMessage('a') }, { output: asUntrusted(new AssistantMessage('b')) }];
    const marked = asUntrustedResponse(new ChatResponse({ results, metadata: { id: 'x' } }));
    expect(marked.metadata).toEqual({ id: 'x' });
    expect(marked.results.map(({ output }) => isUntrusted(output))).toEqual([true, true]);
    expect(asUntrustedResponse(marked)).toBe(marked);
  });
});
