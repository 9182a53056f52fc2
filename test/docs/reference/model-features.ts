import { type ProviderTool, providerTool } from '@nestor-ai/core';
import { QUERY, REASONING, SIGNATURE } from '../../protocol/bodies/answers/answer.js';
import { PICTURE_URL } from '../../protocol/bodies/media-turns.js';
import type { ProviderName } from '../../protocol/bodies/providers.js';
import { call, PNG, question, text, weather } from '../../protocol/bodies/tool-turns.js';
import type { Turn, TurnOptions } from '../../protocol/bodies/turn.js';

/** Something that a request can have, and how the table finds out whether it reaches the model. */
export interface Feature {
  readonly title: string;
  /** A turn that has it. Undefined for a provider that has no such thing. */
  readonly turn: (provider: ProviderName) => Turn | undefined;
  /** What the last request contains when it reaches the model. */
  readonly mark?: RegExp;
  /** What the text that the model reads contains when it is told in words instead. */
  readonly words?: RegExp;
  /** The same turn without the feature, where the feature has no mark: then the requests differ. */
  readonly without?: Turn;
}

const PDF = Buffer.from('%PDF-1.7 a page');
const messages = [question];
const answers = [text];
const plain: Turn = { messages, answers };
const withTool: Turn = { ...plain, tools: [weather] };
const called: Turn = { ...withTool, answers: [{ calls: [call('Paris')] }, text] };
const PICTURE = new RegExp(PNG.toString('base64').replaceAll('+', '\\+'));

const schema = {
  type: 'object',
  properties: { degreesInParis: { type: 'number' } },
  required: ['degreesInParis'],
  additionalProperties: false,
} as const;

/** The search of each provider. */
const SEARCHES: Partial<Record<ProviderName, ProviderTool>> = {
  'OpenAI Responses v4': providerTool('openai.web_search'),
  Azure: providerTool('openai.web_search_preview'),
  'Anthropic v4': providerTool('anthropic.web_search_20250305'),
  'Google v4': providerTool('google.google_search'),
  'xAI Responses': providerTool('xai.web_search'),
  Groq: providerTool('groq.browser_search'),
};

const option = (title: string, options: TurnOptions, mark: RegExp): Feature => ({
  title,
  turn: () => ({ ...plain, options }),
  mark,
});

/** The rows of the table. */
export const FEATURES: readonly Feature[] = [
  { title: 'system text', turn: () => ({ ...plain, system: 'Be brief and kind.' }), mark: /Be brief and kind/ },
  option('`temperature`', { temperature: 0.123 }, /0\.123/),
  option('`topP`', { topP: 0.456 }, /0\.456/),
  option('`topK`', { topK: 1717 }, /1717/),
  option('`maxTokens`', { maxTokens: 4321 }, /4321/),
  option('`stopSequences`', { stopSequences: ['HALT'] }, /HALT/),
  option('`seed`', { seed: 987_654 }, /987654/),
  option('`presencePenalty`', { presencePenalty: 0.321 }, /0\.321/),
  option('`frequencyPenalty`', { frequencyPenalty: 0.654 }, /0\.654/),
  { title: '`reasoning`', turn: () => ({ ...plain, options: { reasoning: 'low' } }), without: plain },
  { title: '`headers`', turn: () => ({ ...plain, options: { headers: { 'x-tenant': 'acme' } } }), mark: /x-tenant/ },
  {
    title: '`outputSchema`',
    turn: () => ({ ...plain, options: { outputSchema: schema } }),
    mark: /degreesInParis/,
    words: /degreesInParis/,
  },
  { title: 'tools', turn: () => withTool, mark: /Weather of a city/ },
  {
    title: "`toolChoice: 'required'`",
    turn: () => ({ ...withTool, options: { toolChoice: 'required' } }),
    without: withTool,
  },
  {
    title: '`toolChoice: { toolName }`',
    turn: () => ({ ...withTool, options: { toolChoice: { toolName: 'weather' } } }),
    without: withTool,
  },
  {
    title: '`strict` of a tool',
    turn: () => ({ ...withTool, tools: [{ ...weather, strict: true }] }),
    without: withTool,
  },
  {
    title: '`inputExamples` of a tool',
    turn: () => ({ ...withTool, tools: [{ ...weather, inputExamples: [{ city: 'Timbuktu' }] }] }),
    mark: /Timbuktu/,
  },
  {
    title: 'a tool of the provider',
    turn: (provider) => SEARCHES[provider] && { ...plain, providerTools: [SEARCHES[provider]] },
    mark: /web_?search|google_?search|browser_?search/i,
  },
  {
    title: 'its call, in the next request',
    turn: (provider) =>
      SEARCHES[provider] && {
        ...called,
        providerTools: [SEARCHES[provider]],
        answers: [{ search: true, text: 'Let me see.', calls: [call('Paris')] }, text],
      },
    mark: new RegExp(`${QUERY}|ws_1`),
  },
  {
    title: 'reasoning of the model, in the next request',
    turn: () => ({ ...called, answers: [{ reasoning: true, calls: [call('Paris')] }, text] }),
    mark: new RegExp(`${REASONING}|${SIGNATURE}|rs_1`),
  },
  { title: 'the result of a tool', turn: () => called, mark: /21 degrees in Paris/ },
  {
    title: 'a picture of a tool',
    turn: () => ({ ...called, tools: [{ ...weather, picture: PNG }] }),
    mark: PICTURE,
    words: /not shown\]/,
  },
  { title: 'a picture', turn: () => shown('image/png', PNG), mark: PICTURE },
  {
    title: 'a picture by its URL',
    turn: () => shown('image/png', PICTURE_URL),
    mark: new RegExp(`${PICTURE_URL.href}|${PICTURE.source}`),
  },
  { title: 'a PDF', turn: () => shown('application/pdf', PDF), mark: new RegExp(PDF.toString('base64')) },
  {
    title: '`promptCaching`',
    turn: () => ({ ...withTool, system: 'Be brief.', options: { promptCaching: ['tools', 'system', 'history'] } }),
    without: { ...withTool, system: 'Be brief.' },
  },
];

function shown(mimeType: string, data: Uint8Array | URL): Turn {
  return { ...plain, messages: [{ role: 'user', text: 'What is this?', media: [{ mimeType, data }] }] };
}
