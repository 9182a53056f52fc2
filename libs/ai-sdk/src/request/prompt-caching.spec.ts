import { describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  FunctionToolCallback,
  type Message,
  Prompt,
  type PromptCaching,
  SystemMessage,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import { toCallOptions } from './to-call-options.js';

const ALL: readonly PromptCaching[] = ['tools', 'system', 'history'];
const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const own = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } };
const toolCallbacks = Object.freeze(
  ['a', 'b'].map((name) => new FunctionToolCallback({ name, toolFunction: () => 1 })),
);
const result = new ToolResponseMessage({ responses: [{ id: '1', name: 'a', responseData: 'R' }] });
const call = new AssistantMessage({ toolCalls: [{ id: '1', name: 'a', arguments: '{}' }] });
const TURN: readonly Message[] = [new SystemMessage('S'), new UserMessage('U'), call, result];

const models = new Map<string, AiSdkLanguageModel>();

const asked = async (
  provider: string,
  promptCaching: readonly PromptCaching[],
  messages: readonly Message[] = TURN,
) => {
  const model = models.get(provider) ?? ({ specificationVersion: 'v3', provider, modelId: 'm' } as AiSdkLanguageModel);
  models.set(provider, model);
  return toCallOptions(new Prompt([...messages], { toolCallbacks, promptCaching }), model);
};
/** Which tools and messages have a breakpoint. */
const marksOf = async (...args: Parameters<typeof asked>): Promise<string[]> => {
  const { tools = [], prompt } = await asked(...args);
  const isMarked = (item: object) => 'providerOptions' in item && item.providerOptions !== undefined;
  return [
    ...tools.flatMap((tool) => (isMarked(tool) ? [`tool ${tool.name}`] : [])),
    ...prompt.flatMap((message, at) => (isMarked(message) ? [`${at} ${message.role}`] : [])),
  ];
};

describe('prompt caching', () => {
  it.each([
    [['tools'], ['tool b']],
    [['system'], ['0 system']],
    [['history'], ['1 user', '3 tool']],
    [ALL, ['tool b', '0 system', '1 user', '3 tool']],
    [[], []],
  ] as const)('of %j marks the ends of these parts for Anthropic', async (parts, marks) => {
    for (const provider of ['anthropic.messages', 'bedrock.anthropic.messages', 'vertex.anthropic.messages']) {
      expect(await marksOf(provider, parts)).toEqual(marks);
    }
    const { prompt } = await asked('anthropic.messages', ['system']);
    expect(prompt[0]).toEqual({ role: 'system', content: 'S', providerOptions: mark });
  });

  it('marks only messages for Amazon Bedrock, where a point after the system text keeps the tools, too', async () => {
    expect(await marksOf('amazon-bedrock', ['tools'])).toEqual(['0 system']);
    expect(await marksOf('amazon-bedrock', ALL)).toEqual(['0 system', '1 user', '3 tool']);
    const { prompt } = await asked('amazon-bedrock', ['system']);
    expect(prompt[0]!.providerOptions).toEqual({ bedrock: { cachePoint: { type: 'default' } } });
  });

  it.each(['openai.chat', 'openai.responses', 'google.generative-ai', 'mistral.chat'])(
    'marks nothing for %s, which caches by itself or not at all',
    async (provider) => {
      expect(await marksOf(provider, ALL)).toEqual([]);
    },
  );

  it('needs no system text, tools or earlier messages', async () => {
    expect(await marksOf('anthropic.messages', ['system', 'history'], [new UserMessage('U')])).toEqual(['0 user']);
    expect(await marksOf('amazon-bedrock', ['tools'], [new UserMessage('U')])).toEqual([]);
  });

  it('keeps the breakpoints of the application, and sets at most four with them', async () => {
    const [, user] = TURN;
    const system = new SystemMessage({ text: 'S', providerOptions: own });
    const { prompt } = await asked('anthropic.messages', ['system'], [system, user!]);
    expect(prompt[0]!.providerOptions).toEqual(own);
    const media = [1, 2, 3].map(() => ({ mimeType: 'image/png', data: 'AA==', providerOptions: own }));
    const busy = [new SystemMessage('S'), new UserMessage({ text: 'U', media }), call, result];
    expect(await marksOf('anthropic.messages', ALL, busy)).toEqual(['3 tool']);
  });

  it('keeps other options of a message', async () => {
    const providerOptions = { anthropic: { citations: true }, other: { x: 1 } };
    const { prompt } = await asked(
      'anthropic.messages',
      ['history'],
      [new UserMessage({ text: 'U', providerOptions })],
    );
    expect(prompt[0]!.providerOptions).toEqual({ anthropic: { citations: true, ...mark.anthropic }, other: { x: 1 } });
    expect(providerOptions).toEqual({ anthropic: { citations: true }, other: { x: 1 } });
  });

  it('sends the same list of tools in each request, and leaves the list of other requests unmarked', async () => {
    const [first, second] = [await asked('anthropic.messages', ALL), await asked('anthropic.messages', ALL)];
    expect(second.tools).toBe(first.tools);
    const plain = await asked('anthropic.messages', []);
    expect(plain.tools).not.toBe(first.tools);
    expect(JSON.stringify(plain.tools)).not.toContain('cacheControl');
  });
});
