import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, SystemMessage, UserMessage } from '@nestor-ai/core';
import { toPromptResult } from './prompt-messages.js';

const messagesOf = (returned: unknown) => (toPromptResult(returned).value as { messages: object[] }).messages;
const user = (content: object) => ({ role: 'user', content });
const text = (given: string) => ({ type: 'text', text: given });

describe('the messages of a prompt', () => {
  it.each([
    ['a string', 'hi', [user(text('hi'))]],
    ['a message', new UserMessage('hi'), [user(text('hi'))]],
    [
      'messages',
      [new UserMessage('hi'), new AssistantMessage('oh')],
      [user(text('hi')), { role: 'assistant', content: text('oh') }],
    ],
    ['a message of the protocol', { role: 'user', content: text('hi') }, [user(text('hi'))]],
    ['several contents', { role: 'user', content: [text('a'), text('b')] }, [user(text('a')), user(text('b'))]],
    ['a mixture', ['a', { role: 'user', content: 'b' }], [user(text('a')), user(text('b'))]],
    [
      'media',
      new UserMessage({
        text: 'see',
        media: [
          { mimeType: 'image/png', data: Uint8Array.of(1, 2) },
          { mimeType: 'audio/wav', data: 'AQI=' },
        ],
      }),
      [
        user(text('see')),
        user({ type: 'image', mimeType: 'image/png', data: 'AQI=' }),
        user({ type: 'audio', mimeType: 'audio/wav', data: 'AQI=' }),
      ],
    ],
    [
      'a file',
      new UserMessage({ text: '', media: [{ mimeType: 'application/pdf', data: 'AQI=', name: 'a b.pdf' }] }),
      [
        user({
          type: 'resource',
          resource: { uri: 'attachment:a%20b.pdf', mimeType: 'application/pdf', blob: 'AQI=' },
        }),
      ],
    ],
    ['an empty list', [], []],
  ])('are made of %s', (_name, returned, messages) => {
    expect(messagesOf(returned)).toEqual(messages);
  });

  it('may come with a description', () => {
    expect(toPromptResult({ description: 'A', messages: 'hi' }).value).toEqual({
      description: 'A',
      messages: [user(text('hi'))],
    });
  });

  it.each([
    ['a system message', new SystemMessage('be nice')],
    ['a number', 5],
    ['an object', { text: 'hi' }],
    ['a content without a type', { role: 'user', content: { text: 'hi' } }],
    ['an empty message', { role: 'user' }],
  ])('are not made of %s', (_name, returned) => {
    expect(() => toPromptResult(returned)).toThrow(TypeError);
  });
});
