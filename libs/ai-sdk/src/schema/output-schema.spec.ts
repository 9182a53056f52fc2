import { describe, expect, it } from '@jest/globals';
import { FunctionToolCallback, type JsonSchema, providerTool } from '@nestor-ai/core';
import { supportsOutputSchema, toResponseFormat } from './output-schema.js';
import type { AiSdkLanguageModel } from '../language-model.js';

const modelOf = (provider: string, modelId = 'test-1', more: object = {}): AiSdkLanguageModel =>
  ({ specificationVersion: 'v3', provider, modelId, ...more }) as AiSdkLanguageModel;
const city: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } };
const map: JsonSchema = { type: 'object', additionalProperties: { type: 'number' } };
const tools = {
  toolCallbacks: [new FunctionToolCallback({ name: 'x', inputSchema: {}, toolFunction: () => 1 })],
};
const search = { providerTools: [providerTool('google.google_search')] };
const off = (option: string) => ({ providerOptions: { acme: { [option]: false } } });

const kind = (value: string): JsonSchema => ({
  type: 'object',
  properties: { kind: { const: value }, name: { type: 'string' } },
  required: ['kind'],
});
const place = (owner: JsonSchema): JsonSchema => ({ type: 'object', properties: { owner }, required: ['owner'] });

describe('a schema of the answer', () => {
  it.each([
    ['OpenAI', modelOf('openai.chat'), city, {}, true],
    ['a Map with OpenAI', modelOf('openai.chat'), map, {}, false],
    ['a Map with OpenAI if it need not be strict', modelOf('openai.responses'), map, off('strictJsonSchema'), true],
    ['a Map with Claude', modelOf('anthropic.messages'), map, {}, true],
    [
      'a compatible server that has schemas',
      modelOf('acme.chat', 'a', { supportsStructuredOutputs: true }),
      city,
      {},
      true,
    ],
    ['a compatible server without', modelOf('acme.chat', 'a', { supportsStructuredOutputs: false }), city, {}, false],
    ['a completion model', modelOf('openai.completion'), city, {}, false],
    ['Groq without native schemas', modelOf('groq.chat'), city, off('structuredOutputs'), false],
    ['Gemini 2.5', modelOf('google.generative-ai', 'gemini-2.5-flash'), city, {}, true],
    ['Gemini 2.5 with tools', modelOf('google.generative-ai', 'gemini-2.5-flash'), city, tools, false],
    [
      'Gemini 2.5 with tools of the provider',
      modelOf('google.vertex.chat', 'models/gemini-2.5-pro'),
      city,
      search,
      false,
    ],
    ['Gemini 2.5 with tools of the gateway', modelOf('gateway', 'google/gemini-2.5-pro'), city, tools, false],
    ['Gemma with tools', modelOf('google.generative-ai', 'gemma-3'), city, tools, false],
    ['Gemini 3 with tools', modelOf('google.generative-ai', 'gemini-3-pro'), city, tools, true],
    ['Gemini latest with tools', modelOf('google.generative-ai', 'gemini-flash-latest'), city, tools, true],
    [
      'a tuple with Gemini',
      modelOf('google.generative-ai', 'gemini-3-pro'),
      { type: 'object', properties: { a: { prefixItems: [city] } } },
      {},
      false,
    ],
    ['DeepSeek, whose package writes it into the prompt', modelOf('deepseek.chat'), map, {}, true],
  ])('%s: %#', (_what, model, schema, options, isSupported) => {
    expect(supportsOutputSchema(schema, options, model)).toBe(isSupported);
  });

  it('is sent as strict mode requires it', () => {
    const model = modelOf('openai.chat');
    expect(toResponseFormat(city, {}, model)).toEqual({
      type: 'json',
      schema: {
        type: 'object',
        properties: { name: { type: ['string', 'null'] } },
        required: ['name'],
        additionalProperties: false,
      },
    });
    expect(toResponseFormat(city, off('strictJsonSchema'), model).schema).toBe(city);
    expect(toResponseFormat(city, {}, model).schema).toBe(toResponseFormat(city, {}, model).schema);
  });

  it.each<[string, JsonSchema, boolean]>([
    ['in branches that a constant identifies', { oneOf: [kind('a'), kind('b')] }, true],
    ['in one branch beside null', { anyOf: [city, { type: 'null' }] }, true],
    ['in branches that look alike', { anyOf: [city, kind('a')] }, false],
    ['in a branch beside a text', { anyOf: [city, { type: 'string' }] }, false],
    ['in a type beside a text', { ...city, type: ['object', 'string'] }, false],
    ['in a part of allOf', { allOf: [city] }, false],
  ])('may make properties nullable %s: %#', (_where, owner, isSupported) => {
    expect(supportsOutputSchema(place(owner), {}, modelOf('openai.chat'))).toBe(isSupported);
  });

  it('is sent unchanged if a direct caller asks for what the provider cannot express', () => {
    expect(toResponseFormat(map, {}, modelOf('openai.chat'))).toEqual({ type: 'json', schema: map });
  });
});
