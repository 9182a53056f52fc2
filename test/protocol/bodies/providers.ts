import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createXai } from '@ai-sdk/xai';
import { createAnthropic as createAnthropicV4 } from 'ai-sdk-anthropic-v4';
import { createGoogleGenerativeAI as createGoogleV4 } from 'ai-sdk-google-v4';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { LanguageModelV4 } from 'ai-sdk-provider-v4';
import { createOllama } from 'ollama-ai-provider-v2';
import type { Format } from './answers/answer.js';
import { anthropic } from './answers/anthropic.js';
import { bedrock } from './answers/bedrock.js';
import { google } from './answers/google.js';
import { ollama } from './answers/ollama.js';
import { mistral, openaiChat } from './answers/openai-chat.js';
import { openaiResponses } from './answers/openai-responses.js';

export type LanguageModel = LanguageModelV3 | LanguageModelV4;

/** A provider package, a model of it, and the format of its answers. */
export interface Provider {
  readonly create: (fetch: typeof globalThis.fetch) => LanguageModel;
  readonly format: Format;
}

const apiKey = 'test';
const CLAUDE = 'claude-sonnet-4-5';
const GEMINI = 'gemini-3-pro-preview';

const provider = (format: Format, create: Provider['create']): Provider => ({ create, format });

const providers = {
  'OpenAI chat': provider(openaiChat, (fetch) => createOpenAI({ apiKey, fetch }).chat('gpt-4o')),
  'OpenAI chat v4': provider(openaiChat, (fetch) => createOpenAIV4({ apiKey, fetch }).chat('gpt-4o')),
  'OpenAI Responses': provider(openaiResponses, (fetch) => createOpenAI({ apiKey, fetch }).responses('gpt-5')),
  'OpenAI Responses v4': provider(openaiResponses, (fetch) => createOpenAIV4({ apiKey, fetch }).responses('gpt-5')),
  Azure: provider(openaiResponses, (fetch) => createAzure({ apiKey, fetch, resourceName: 'acme' })('gpt-5')),
  'Azure chat': provider(openaiChat, (fetch) => createAzure({ apiKey, fetch, resourceName: 'acme' }).chat('gpt-4o')),
  Anthropic: provider(anthropic, (fetch) => createAnthropic({ apiKey, fetch })(CLAUDE)),
  'Anthropic v4': provider(anthropic, (fetch) => createAnthropicV4({ apiKey, fetch })(CLAUDE)),
  Google: provider(google, (fetch) => createGoogleGenerativeAI({ apiKey, fetch })(GEMINI)),
  'Google v4': provider(google, (fetch) => createGoogleV4({ apiKey, fetch })(GEMINI)),
  'Amazon Bedrock': provider(bedrock, (fetch) =>
    createAmazonBedrock({ apiKey, fetch, region: 'eu-west-1' })(`anthropic.${CLAUDE}-20250929-v1:0`),
  ),
  Mistral: provider(mistral, (fetch) => createMistral({ apiKey, fetch })('mistral-large-latest')),
  'xAI chat': provider(openaiChat, (fetch) => createXai({ apiKey, fetch }).chat('grok-4')),
  'xAI Responses': provider(openaiResponses, (fetch) => createXai({ apiKey, fetch }).responses('grok-4')),
  Groq: provider(openaiChat, (fetch) => createGroq({ apiKey, fetch })('openai/gpt-oss-120b')),
  DeepSeek: provider(openaiChat, (fetch) => createDeepSeek({ apiKey, fetch })('deepseek-chat')),
  Ollama: provider(ollama, (fetch) => createOllama({ baseURL: 'http://ollama.test/api', fetch })('qwen3')),
  'OpenAI-compatible': provider(openaiChat, (fetch) =>
    createOpenAICompatible({ name: 'acme', baseURL: 'http://acme.test/v1', apiKey, fetch, includeUsage: true })('m'),
  ),
};

export type ProviderName = keyof typeof providers;
/** By the name in the tests. `v4` names the major whose models have version 4 of the specification. */
export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = providers;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];
