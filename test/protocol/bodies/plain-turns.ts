import type { MessageInput } from '@nestor-ai/core';
import type { Turn } from './turn.js';

const ask = (text: string): MessageInput => ({ role: 'user', text });
const answers = [{ text: 'Hello.' }];

const answerSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
} as const;

/** Turns of one request. */
export const plainTurns = {
  'a question': { streamed: true, messages: [ask('Hi')], answers },
  'a system text': { system: 'Be brief.', messages: [ask('Hi')], answers },
  'sampling options': {
    streamed: true,
    messages: [ask('Hi')],
    options: {
      temperature: 0.3,
      topP: 0.9,
      topK: 20,
      maxTokens: 500,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    },
    answers,
  },
  'several messages before': {
    system: 'Be brief.',
    messages: [ask('Hi'), { role: 'assistant', text: 'Hello.' }, ask('How are you?'), ask('Well?')],
    answers,
  },
  'two system messages': {
    system: 'Be brief.',
    messages: [{ role: 'system', text: 'Be kind.' }, ask('Hi')],
    answers,
  },
  'an empty text in the history': {
    messages: [ask('Hi'), { role: 'assistant', text: '' }, ask('Hi?')],
    answers,
  },
  'options of providers': {
    messages: [ask('Hi')],
    options: {
      providerOptions: {
        openai: { user: 'caller-1', serviceTier: 'flex' },
        azure: { user: 'caller-1' },
        anthropic: { metadata: { userId: 'caller-1' } },
        google: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
        bedrock: { additionalModelRequestFields: { top_k: 5 } },
        mistral: { safePrompt: true },
        xai: { reasoningEffort: 'low' },
        groq: { user: 'caller-1' },
        deepseek: { thinking: { type: 'disabled' } },
        ollama: { think: true, options: { num_ctx: 2048 } },
        acme: { user: 'caller-1', invented: 1 },
      },
    },
    answers,
  },
  headers: { messages: [ask('Hi')], options: { headers: { 'x-tenant': 'acme' } }, answers },
  'a schema for the answer': {
    streamed: true,
    messages: [ask('How warm is Paris?')],
    options: { outputSchema: answerSchema },
    answers: [{ text: '{"city":"Paris","degrees":21}' }],
  },
  'reasoning effort': {
    only: ['OpenAI chat v4', 'OpenAI Responses v4', 'Anthropic v4', 'Google v4'],
    messages: [ask('Hi')],
    options: { reasoning: 'low' },
    answers,
  },
  'options of messages': {
    messages: [
      { role: 'system', text: 'Be brief.', providerOptions: cached('ephemeral') },
      { role: 'user', text: 'Hi', providerOptions: cached('ephemeral') },
      { role: 'assistant', text: 'Hello.', providerOptions: cached('ephemeral') },
      ask('How are you?'),
    ],
    answers,
  },
} as const satisfies Record<string, Turn>;

function cached(type: string): Record<string, Record<string, unknown>> {
  return {
    anthropic: { cacheControl: { type } },
    bedrock: { cachePoint: { type: 'default' } },
    openaiCompatible: { cache_control: { type } },
  };
}
