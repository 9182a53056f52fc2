import { describe, expect, it } from '@jest/globals';
import { type ChatOptions, FunctionToolCallback, providerTool } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import { toToolOptions } from './tools.js';

const modelOf = (provider: string, modelId = 'test-1'): AiSdkLanguageModel =>
  ({ specificationVersion: 'v3', provider, modelId }) as AiSdkLanguageModel;
const claude = modelOf('anthropic.messages');

const tool = (name: string, more = {}) =>
  new FunctionToolCallback({ name, description: name, inputSchema: {}, toolFunction: () => 1, ...more });
const search = providerTool('anthropic.web_search_20250305', { maxUses: 3 });
const sent = (options: ChatOptions, model = claude) => toToolOptions(options, model);

describe('the tools of a request', () => {
  it('are the functions, then the tools of the provider', () => {
    const { tools } = sent({ toolCallbacks: [tool('add')], providerTools: [search] });
    expect(tools).toEqual([
      { type: 'function', name: 'add', description: 'add', inputSchema: { type: 'object', properties: {} } },
      { type: 'provider', id: 'anthropic.web_search_20250305', name: 'web_search', args: { maxUses: 3 } },
    ]);
  });

  it('define a tool of yours as the provider does if it has the same name', () => {
    const { tools } = sent({
      toolCallbacks: [tool('bash'), tool('add')],
      providerTools: [providerTool('anthropic.bash_20250124')],
    });
    expect(tools?.map(({ type, name }) => `${type} ${name}`)).toEqual(['function add', 'provider bash']);
  });

  it('have the options for the model', () => {
    const options = { strict: true, inputExamples: [{ a: 1 }], providerOptions: { anthropic: { deferLoading: true } } };
    const { tools } = sent({ toolCallbacks: [tool('add', options)] });
    expect(tools).toMatchObject([{ ...options, inputExamples: [{ input: { a: 1 } }] }]);
    expect(Object.keys(sent({ toolCallbacks: [tool('add')] }).tools![0]!)).not.toContain('strict');
  });

  it('can be chosen if all are tools of the provider', () => {
    const { toolChoice } = sent({ providerTools: [search], toolChoice: { toolName: 'web_search' } });
    expect(toolChoice).toEqual({ type: 'tool', toolName: 'web_search' });
  });

  it('are nothing if there are none, even with a choice', () => {
    expect(sent({ toolChoice: 'required' })).toEqual({});
  });

  it('are made once for the same tools, and anew for other ones', () => {
    const toolCallbacks = Object.freeze([tool('add')]);
    const providerTools = Object.freeze([search]);
    const first = sent({ toolCallbacks, providerTools }).tools;
    expect(sent({ toolCallbacks, providerTools }).tools).toBe(first);
    expect(sent({ toolCallbacks }).tools).toHaveLength(1);
    expect(sent({ toolCallbacks, providerTools }, modelOf('vertex.anthropic.messages')).tools).not.toBe(first);
  });
});

describe('a tool of a provider', () => {
  it.each([
    ['openai.web_search', 'openai.responses'],
    ['openai.web_search', 'azure.responses'],
    ['anthropic.bash_20250124', 'vertex.anthropic.messages'],
    ['anthropic.bash_20250124', 'amazon-bedrock'],
    ['google.google_search', 'google.generative-ai'],
    ['google.google_search', 'google.vertex.chat'],
    ['xai.web_search', 'xai.responses'],
    ['groq.browser_search', 'groq.chat'],
    ['anthropic.bash_20250124', 'gateway'],
    ['openai.web_search', 'acme.responses'],
  ])('%s is sent to a model of %s', (id, provider) => {
    expect(sent({ providerTools: [providerTool(id)] }, modelOf(provider)).tools).toMatchObject([{ id }]);
  });

  it.each([
    ['anthropic.web_search_20250305', 'openai.responses', /'anthropic.web_search_20250305' .*'test-1' of openai/],
    ['openai.web_search', 'openai.chat', /Responses API/],
    ['openai.web_search', 'anthropic.messages', /Leave it out/],
    ['google.google_search', 'mistral.chat', /of mistral.chat/],
  ])('%s is refused before the call of a model of %s', (id, provider, message) => {
    expect(() => sent({ providerTools: [providerTool(id)] }, modelOf(provider))).toThrow(message);
  });
});
