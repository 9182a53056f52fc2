import { providerTool } from '@nestor-ai/core';
import { call, question, text, weather } from './tool-turns.js';
import type { Turn } from './turn.js';

const messages = [question];
const tools = [weather];
const calls = [call('Paris')];
const thoughtful = {
  anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } },
  bedrock: { reasoningConfig: { type: 'enabled', budgetTokens: 2000 } },
  google: { thinkingConfig: { includeThoughts: true } },
  openai: { store: false, include: ['reasoning.encrypted_content'], reasoningSummary: 'auto' },
  azure: { store: false, include: ['reasoning.encrypted_content'], reasoningSummary: 'auto' },
  xai: { store: false },
};
const search = {
  anthropic: providerTool('anthropic.web_search_20250305', { maxUses: 3 }),
  openai: providerTool('openai.web_search', { searchContextSize: 'low' }),
  google: providerTool('google.google_search'),
  xai: providerTool('xai.web_search'),
};
const searched = [{ search: true, text: 'I have searched.', calls }, text];

/** Turns with what only providers know: their reasoning and their tools. */
export const providerTurns = {
  'reasoning before an answer': { messages, answers: [{ reasoning: true, ...text }] },
  'reasoning before a tool call': { streamed: true, messages, tools, answers: [{ reasoning: true, calls }, text] },
  'reasoning with a signature before a tool call': {
    streamed: true,
    only: [
      'Anthropic',
      'Anthropic v4',
      'Amazon Bedrock',
      'Google',
      'Google v4',
      'OpenAI Responses',
      'OpenAI Responses v4',
      'Azure',
      'xAI Responses',
    ],
    messages,
    tools,
    options: { providerOptions: thoughtful },
    answers: [{ reasoning: true, text: 'I will look.', calls }, text],
  },
  "Anthropic's web search": {
    only: ['Anthropic', 'Anthropic v4'],
    messages,
    tools,
    providerTools: [search.anthropic],
    answers: searched,
  },
  "Anthropic's web search after reasoning": {
    streamed: true,
    only: ['Anthropic', 'Anthropic v4'],
    messages,
    tools,
    options: { providerOptions: thoughtful },
    providerTools: [search.anthropic],
    answers: [{ reasoning: true, search: true, text: 'I have searched.', calls }, text],
  },
  "OpenAI's web search": {
    only: ['OpenAI Responses', 'OpenAI Responses v4', 'Azure'],
    messages,
    tools,
    providerTools: [search.openai],
    answers: searched,
  },
  "OpenAI's web search after reasoning": {
    streamed: true,
    only: ['OpenAI Responses', 'OpenAI Responses v4', 'Azure'],
    messages,
    tools,
    options: { providerOptions: thoughtful },
    providerTools: [search.openai],
    answers: [{ reasoning: true, search: true, text: 'I have searched.', calls }, text],
  },
  "Google's search": {
    streamed: true,
    only: ['Google', 'Google v4'],
    messages,
    tools,
    providerTools: [search.google],
    answers: searched,
  },
  "xAI's web search": { only: ['xAI Responses'], messages, tools, providerTools: [search.xai], answers: searched },
} as const satisfies Record<string, Turn>;
