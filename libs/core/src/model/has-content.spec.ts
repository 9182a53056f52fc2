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
    ['a call of a provider tool', { providerToolCalls: [{ id: 'a', name: 'web_search', arguments: '{}' }] }],
    ['a source', { sources: [{ type: 'url', id: '1', url: 'https://a.example' }] }],
    ['a picture', { media: [{ mimeType: 'image/png', data: 'AA==' }] }],
  ])('is true for a chunk with %s', (_what, init) => {
    expect(hasContent(chunk(init))).toBe(true);
  });

  it('is true for a chunk with a part of the input of a tool, which a caller may have seen', () => {
    const toolInput = { id: 'a', name: 'search', delta: '' };
    expect(hasContent(new ChatResponse({ results: [{ output: new AssistantMessage(), toolInput }] }))).toBe(true);
  });

  it.each<[string, ChatResponse | undefined]>([
    ['no response', undefined],
    ['no generation', new ChatResponse({ results: [], metadata: { id: 'r1' } })],
    ['an empty message', chunk({ text: '', metadata: { signature: 'x' } })],
  ])('is false for a chunk with %s', (_what, response) => {
    expect(hasContent(response)).toBe(false);
  });
});
