import { describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  FunctionToolCallback,
  Prompt,
  SystemMessage,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { lastValueFrom, toArray } from 'rxjs';
import { AiSdkChatModel } from './ai-sdk-chat-model.js';
import type { AiSdkLanguageModel } from './language-model.js';
import type { CallOptions, ContentItem, GenerateResult, StreamPart } from './specification.js';

const usage = {
  inputTokens: { total: 10, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 5 },
};
const finishReason = { unified: 'stop', raw: 'end' };

/** A language model that returns given answers and records its requests. */
class FakeLanguageModel implements AiSdkLanguageModel {
  readonly modelId = 'fake-1';
  asked: CallOptions[] = [];

  constructor(
    private readonly answer: readonly ContentItem[] = [],
    private readonly parts: readonly StreamPart[] = [],
    readonly specificationVersion: 'v3' | 'v4' = 'v3',
    readonly provider = 'anthropic.messages',
  ) {}

  async doGenerate(options: CallOptions): Promise<GenerateResult> {
    this.asked.push(options);
    return { content: this.answer, finishReason, usage, response: { id: 'r1', modelId: 'fake-1' } };
  }

  async doStream(options: CallOptions) {
    this.asked.push(options);
    const { parts } = this;
    const stream = new ReadableStream<StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    return { stream };
  }
}

const ask = async (prompt: Prompt, version: 'v3' | 'v4' = 'v3'): Promise<CallOptions> => {
  const model = new FakeLanguageModel([], [], version);
  await new AiSdkChatModel(model).call(prompt);
  return model.asked[0]!;
};

describe('the schema of a tool', () => {
  it.each([
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [
      { type: 'object', properties: {}, title: 'T' },
      { type: 'object', properties: {}, title: 'T' },
    ],
  ])('is sent with the keywords that APIs require: %j', async (inputSchema, sent) => {
    const tool = new FunctionToolCallback({ name: 'x', inputSchema, toolFunction: () => 1 });
    const { tools } = await ask(new Prompt('Hi', { toolCallbacks: [tool] }));
    expect(tools).toEqual([expect.objectContaining({ inputSchema: sent })]);
  });
});

describe('images and files from a tool', () => {
  const image = { type: 'image' as const, mimeType: 'image/png', data: 'AA==' };
  const askedOf = async (provider: string, responseData: string, settings = {}): Promise<unknown> => {
    const model = new FakeLanguageModel([], [], 'v3', provider);
    const response = { id: '1', name: 't', responseData, content: [image] };
    await new AiSdkChatModel(model, {}, settings).call(
      new Prompt([new ToolResponseMessage({ responses: [response] })]),
    );
    const [message] = model.asked[0]!.prompt;
    return (message!.content[0] as { output: unknown }).output;
  };

  it.each(['openai.chat', 'mistral.chat', 'local'])(
    'are described in words for %s, which only accepts text',
    async (provider) => {
      const output = { type: 'text', value: 'A chart\n[image/png, 3 bytes; not shown]' };
      expect(await askedOf(provider, 'A chart')).toEqual(output);
      expect(await askedOf(provider, 'image/png, 3 bytes')).toEqual({
        type: 'text',
        value: '[image/png, 3 bytes; not shown]',
      });
    },
  );

  it.each(['openai.responses', 'amazon-bedrock', 'google.vertex.chat'])('are sent to %s', async (provider) => {
    expect(await askedOf(provider, 'A chart')).toMatchObject({ type: 'content', value: [{}, { type: 'image-data' }] });
  });

  it('are sent or described according to the settings', async () => {
    expect(await askedOf('local', '', { takesToolContent: true })).toMatchObject({ type: 'content' });
    expect(await askedOf('anthropic', '', { takesToolContent: false })).toMatchObject({ type: 'text' });
  });
});

describe('the input of a model', () => {
  it('contains the messages in the form of the specification', async () => {
    const { prompt } = await ask(
      new Prompt([
        new SystemMessage('S'),
        new UserMessage('U'),
        new AssistantMessage({ text: 'A', toolCalls: [{ id: '1', name: 't', arguments: '{"x":1}' }] }),
        new ToolResponseMessage({
          responses: [
            { id: '1', name: 't', responseData: 'fine' },
            { id: '2', name: 't', responseData: 'broken', isError: true },
          ],
        }),
      ]),
    );
    expect(prompt).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: [{ type: 'text', text: 'U' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A' },
          { type: 'tool-call', toolCallId: '1', toolName: 't', input: { x: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: '1', toolName: 't', output: { type: 'text', value: 'fine' } },
          {
            type: 'tool-result',
            toolCallId: '2',
            toolName: 't',
            output: { type: 'error-text', value: 'Error: broken' },
          },
        ],
      },
    ]);
  });

  it('contains the options for a model, and nothing of the tool context', async () => {
    const asked = await ask(
      new Prompt('U', {
        maxTokens: 9,
        temperature: 0.5,
        stopSequences: ['x'],
        toolCallbacks: [new FunctionToolCallback({ name: 'a', description: 'A', toolFunction: () => 1 })],
        toolChoice: { toolName: 'a' },
        toolContext: { secret: 1 },
        outputSchema: { type: 'object' },
        providerOptions: { fake: { mode: 'fast' } },
      }),
    );
    expect(asked).toMatchObject({
      maxOutputTokens: 9,
      temperature: 0.5,
      stopSequences: ['x'],
      tools: [{ type: 'function', name: 'a', description: 'A', inputSchema: { type: 'object' } }],
      toolChoice: { type: 'tool', toolName: 'a' },
      responseFormat: { type: 'json', schema: { type: 'object' } },
      providerOptions: { fake: { mode: 'fast' } },
    });
    expect(JSON.stringify(asked)).not.toContain('secret');
  });

  it('contains only the offered tools', async () => {
    const toolCallbacks = ['a', 'b'].map((name) => new FunctionToolCallback({ name, toolFunction: () => 1 }));
    const some = await ask(new Prompt('U', { toolCallbacks, offeredToolNames: ['b'] }));
    const none = await ask(new Prompt('U', { toolCallbacks, offeredToolNames: [], toolChoice: 'none' }));
    expect(some.tools?.map(({ name }) => name)).toEqual(['b']);
    expect(none).not.toHaveProperty('tools');
    expect(none).not.toHaveProperty('toolChoice');
  });

  it.each([
    ['v3', 'AA==', { type: 'image-data', data: 'AA==', mediaType: 'image/png' }],
    [
      'v4',
      { type: 'data', data: 'AA==' },
      { type: 'file', data: { type: 'data', data: 'AA==' }, mediaType: 'image/png' },
    ],
  ] as const)('contains files in the form of version %s', async (version, data, item) => {
    const image = { mimeType: 'image/png', data: 'AA==' };
    const { prompt } = await ask(
      new Prompt([
        new UserMessage({ text: '', media: [image] }),
        new ToolResponseMessage({
          responses: [{ id: '1', name: 't', responseData: 'A chart', content: [{ type: 'image', ...image }] }],
        }),
      ]),
      version,
    );
    expect(prompt).toMatchObject([
      { content: [{ type: 'file', mediaType: 'image/png', data }] },
      { content: [{ output: { type: 'content', value: [{ type: 'text', text: 'A chart' }, item] } }] },
    ]);
  });

  it('cannot request another model', async () => {
    await expect(ask(new Prompt('U', { model: 'other' }))).rejects.toThrow(
      /ask for the model 'other'.*'fake-1' of anthropic\.messages/,
    );
    expect(await ask(new Prompt('U', { model: 'fake-1' }))).toMatchObject({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'U' }] }],
    });
  });
});

const signed = { fake: { signature: 'sig' } };

describe('the answer of a model', () => {
  it('contains text, reasoning, tool calls and metadata', async () => {
    const model = new FakeLanguageModel([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', toolCallId: '1', toolName: 't', input: '{"a":1}' },
      { type: 'tool-call', toolCallId: '2', toolName: 'web', input: '{}', providerExecuted: true },
      { type: 'source' },
    ]);
    const response = await new AiSdkChatModel(model).call(new Prompt('U'));
    expect(response.result?.output).toMatchObject({
      text: 'Let me see.',
      reasoning: 'Hm.',
      toolCalls: [{ id: '1', name: 't', arguments: '{"a":1}' }],
    });
    expect(response.result?.metadata).toEqual({ finishReason: 'stop', rawFinishReason: 'end' });
    expect(response.metadata).toEqual({
      id: 'r1',
      model: 'fake-1',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15, cacheReadTokens: 4 },
    });
  });

  it.each(['call', 'stream'])('is sent back with the signatures of the provider (%s)', async (face) => {
    const model = new FakeLanguageModel(
      [
        { type: 'reasoning', text: 'Hm.', providerMetadata: signed },
        { type: 'tool-call', toolCallId: '1', toolName: 't', input: '{"a":1}', providerMetadata: signed },
      ],
      [
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: 'H' },
        { type: 'reasoning-delta', id: '0', delta: 'm.' },
        { type: 'reasoning-end', id: '0', providerMetadata: signed },
        { type: 'tool-call', toolCallId: '1', toolName: 't', input: '{"a":1}', providerMetadata: signed },
        { type: 'finish', finishReason, usage },
      ],
    );
    const chatModel = new AiSdkChatModel(model);
    const { MessageAggregator } = await import('@nestor-ai/core');
    let whole = face === 'call' ? await chatModel.call(new Prompt('U')) : undefined;
    if (!whole) {
      await lastValueFrom(
        new MessageAggregator().aggregate(chatModel.stream(new Prompt('U')), (response) => {
          whole = response;
        }),
      );
    }
    const answer = whole!.result!.output;
    expect((await ask(new Prompt([answer]))).prompt).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: signed },
          { type: 'tool-call', toolCallId: '1', toolName: 't', input: { a: 1 }, providerOptions: signed },
        ],
      },
    ]);
  });

  it('is streamed in chunks', async () => {
    const model = new FakeLanguageModel(
      [],
      [
        { type: 'stream-start' },
        { type: 'response-metadata', id: 'r2', modelId: 'fake-2' },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: '' },
        { type: 'text-delta', id: '0', delta: 'Hi' },
        { type: 'text-end', id: '0' },
        { type: 'tool-input-start', id: '1', toolName: 't' },
        { type: 'tool-input-delta', id: '1', delta: '{}' },
        { type: 'tool-input-end', id: '1' },
        { type: 'tool-call', toolCallId: '1', toolName: 't', input: '{}' },
        { type: 'ping' },
        { type: 'finish', finishReason, usage },
      ],
    );
    const chunks = await lastValueFrom(new AiSdkChatModel(model).stream(new Prompt('U')).pipe(toArray()));
    const shown = chunks.map(
      ({ text, result }) => text || result?.toolInput || result?.output.toolCalls[0]?.name || 'end',
    );
    expect(shown).toEqual(['Hi', { id: '1', name: 't', delta: '' }, { id: '1', name: 't', delta: '{}' }, 't', 'end']);
    expect(chunks.at(-1)?.metadata).toMatchObject({ id: 'r2', model: 'fake-2', usage: { totalTokens: 15 } });
  });

  it.each(['call', 'stream'])('says that the model has no reasoning effort (%s)', async (face) => {
    const chatModel = new AiSdkChatModel(new FakeLanguageModel([], [{ type: 'finish', finishReason, usage }]));
    const prompt = new Prompt('U', { reasoning: 'high' });
    const { metadata } = face === 'call' ? await chatModel.call(prompt) : await lastValueFrom(chatModel.stream(prompt));
    expect(metadata?.warnings).toMatchObject([{ type: 'unsupported', feature: 'reasoning' }]);
  });

  it.each([
    ['breaks off', [{ type: 'text-delta', id: '0', delta: 'Hi' }], /broke off before the answer was complete/],
    ['contains an error', [{ type: 'error', error: { message: 'overloaded' } }], /^The call to .+ failed\.$/],
    ['contains an error as plain text', [{ type: 'error', error: 'overloaded' }], /^The call to .+ failed\.$/],
  ])('is an error if the stream %s', async (_name, parts, message) => {
    const model = new FakeLanguageModel([], parts as StreamPart[]);
    const stream = new AiSdkChatModel(model).stream(new Prompt('U'));
    await expect(lastValueFrom(stream)).rejects.toMatchObject({
      name: 'ChatModelException',
      message: expect.stringMatching(message),
    });
  });
});
