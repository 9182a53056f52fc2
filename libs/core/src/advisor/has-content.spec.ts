import { describe, expect, it } from '@jest/globals';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type AssistantMessageInit } from '../model/messages.js';
import { hasContent } from './has-content.js';

const chunk = (init: AssistantMessageInit): ChatResponse =>
  new ChatResponse({ results: [{ output: new AssistantMessage(init) }] });

describe('hasContent', () => {
  it.each<[string, AssistantMessageInit]>([
    ['text', { text: 'Hello' }],
    ['reasoning', { reasoning: 'Let me think' }],
    ['a tool call', { toolCalls: [{ id: 'a', name: 'search', arguments: '{}' }] }],
    ['a picture', { media: [{ mimeType: 'image/png', data: 'AA==' }] }],
  ])('is true of a chunk with %s', (_what, init) => {
    expect(hasContent(chunk(init))).toBe(true);
  });

  it.each<[string, ChatResponse | undefined]>([
    ['no response', undefined],
    ['no generation', new ChatResponse({ results: [], metadata: { id: 'r1' } })],
    ['an empty message', chunk({ text: '', metadata: { signature: 'x' } })],
  ])('is false of a chunk with %s', (_what, response) => {
    expect(hasContent(response)).toBe(false);
  });
});
