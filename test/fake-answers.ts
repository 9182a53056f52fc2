import type { ContentItem } from '../libs/ai-sdk/src/specification.js';

/** The data of a provider that must be sent back. */
export const signed = (signature: string) => ({ fake: { signature } });

/** Reasons, searches the web, reasons again, and calls a tool of the application. */
export const SEARCHED: ContentItem[] = [
  { type: 'reasoning', text: 'First.', providerMetadata: signed('r1') },
  { type: 'tool-call', toolCallId: 'ws1', toolName: 'web_search', input: '{"q":"x"}', providerExecuted: true },
  { type: 'tool-result', toolCallId: 'ws1', toolName: 'web_search', result: [{ url: 'https://a.example' }] },
  { type: 'source', sourceType: 'url', id: 's1', url: 'https://a.example', title: 'A' },
  { type: 'reasoning', text: 'Then.', providerMetadata: signed('r2') },
  { type: 'text', text: 'Found it.', providerMetadata: signed('t1') },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'save', input: '{"n":1}', providerMetadata: signed('c1') },
];

/** The same answer in the form in which the provider expects it back. */
export const SENT_BACK = [
  { type: 'reasoning', text: 'First.', providerOptions: signed('r1') },
  { type: 'tool-call', toolCallId: 'ws1', toolName: 'web_search', input: { q: 'x' }, providerExecuted: true },
  {
    type: 'tool-result',
    toolCallId: 'ws1',
    toolName: 'web_search',
    output: { type: 'json', value: [{ url: 'https://a.example' }] },
  },
  { type: 'reasoning', text: 'Then.', providerOptions: signed('r2') },
  { type: 'text', text: 'Found it.', providerOptions: signed('t1') },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'save', input: { n: 1 }, providerOptions: signed('c1') },
];
