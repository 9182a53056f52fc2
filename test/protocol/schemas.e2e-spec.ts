import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createGoogleGenerativeAI as createGoogleV4 } from 'ai-sdk-google-v4';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import { Injectable, Logger } from '@nestjs/common';
import { AiSdkChatModel, type AiSdkLanguageModel } from '@nestor-ai/ai-sdk';
import {
  AiModule,
  type AssistantMessage,
  ChatClient,
  type EntityType,
  FunctionToolCallback,
  type JsonSchema,
  Prompt,
  providerTool,
  Tool,
  type ToolSource,
} from '@nestor-ai/core';
import { Test } from '@nestjs/testing';
import { Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { bothWays } from '../both-ways.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the bodies of several providers */

class Address {
  @IsString() street!: string;
  @IsOptional() @IsString() floor?: string;
}

class Order {
  @IsString() @MinLength(2) item!: string;
  @IsOptional() @IsInt() amount?: number;
  @IsOptional() @IsEmail() mail?: string;
  @ValidateNested() @Type(() => Address) to!: Address;
}

@Injectable()
class ShopTools {
  readonly received: Order[] = [];

  @Tool({ description: 'Orders an item', strict: true })
  order(order: Order) {
    this.received.push(order);
    return 'ordered';
  }
}

/** The bodies that went over the wire, and the answers that come back. */
const sent: any[] = [];
let answers: object[] = [];
const fakeFetch = (async (_url: unknown, init?: RequestInit) => {
  const body = JSON.parse(String(init?.body)) as { stream?: boolean };
  sent.push(body);
  const answer = answers.shift() ?? {};
  if (!body.stream) return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  const events = [answer]
    .flat()
    .map((event: any) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}) as typeof fetch;

afterEach(() => {
  sent.length = 0;
  answers = [];
  jest.restoreAllMocks();
});

const settings = { apiKey: 'test', fetch: fakeFetch };
const openAi = () => createOpenAI(settings).chat('gpt-test');
const openAiV4 = () => createOpenAIV4(settings).chat('gpt-test') as AiSdkLanguageModel;
const responses = () => createOpenAI(settings).responses('gpt-test');
const gemini = (name = 'gemini-2.5-flash') => createGoogleGenerativeAI(settings)(name);
const compatible = (supportsStructuredOutputs: boolean) =>
  createOpenAICompatible({ name: 'acme', baseURL: 'http://acme.test/v1', supportsStructuredOutputs, ...settings })('m');

async function applicationOf(model: AiSdkLanguageModel, ...providers: (new () => object)[]) {
  const module = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel: new AiSdkChatModel(model) })],
    providers,
  }).compile();
  await module.init();
  return { module, client: module.get(ChatClient) };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const chat = (message: object, finish_reason = 'stop') => ({
  id: 'x',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage,
});
const chatEvents = (delta: object, finish_reason = 'stop') => [
  { id: 'x', created: 1, model: 'gpt-test', choices: [{ index: 0, delta }] },
  { id: 'x', created: 1, model: 'gpt-test', choices: [{ index: 0, delta: {}, finish_reason }], usage },
  '[DONE]',
];
const written = '{"item":"tea","amount":null,"mail":null,"to":{"street":"Main St","floor":null}}';
const read = '{"item":"tea","to":{"street":"Main St"}}';
const call = { id: 'c1', type: 'function', function: { name: 'order', arguments: written } };

const STRICT_ORDER = {
  type: 'object',
  properties: {
    item: { type: 'string' },
    amount: { type: ['integer', 'null'] },
    mail: { type: ['string', 'null'], format: 'email' },
    to: {
      type: 'object',
      properties: { street: { type: 'string' }, floor: { type: ['string', 'null'] } },
      required: ['street', 'floor'],
      additionalProperties: false,
    },
  },
  required: ['item', 'amount', 'mail', 'to'],
  additionalProperties: false,
};

const toolOf = (name: string, inputSchema: JsonSchema, more = {}) =>
  new FunctionToolCallback({ name, description: name, inputSchema, toolFunction: () => 'done', ...more });

describe('a strict tool over the wire of OpenAI', () => {
  describe.each(bothWays)('%s', (how, ask) => {
    it.each([
      ['version 3', openAi],
      ['version 4', openAiV4],
    ])('has a strict schema, and its method reads null as absent (%s)', async (_version, model) => {
      answers =
        how === 'call'
          ? [chat({ tool_calls: [call] }, 'tool_calls'), chat({ content: 'Done' })]
          : [chatEvents({ tool_calls: [{ index: 0, ...call }] }, 'tool_calls'), chatEvents({ content: 'Done' })];
      const { module, client } = await applicationOf(model(), ShopTools);
      expect(await ask(client, 'Tea, please')).toBe('Done');

      const [{ tools }, { messages }] = sent;
      expect(tools).toMatchObject([{ function: { name: 'order', strict: true } }]);
      expect(tools[0].function.parameters).toEqual(STRICT_ORDER);
      expect(messages[1].tool_calls[0].function.arguments).toBe(read);
      const [order] = module.get(ShopTools).received;
      expect(order).toBeInstanceOf(Order);
      expect(order?.to).toBeInstanceOf(Address);
      expect([order?.amount, order?.mail, order?.to.floor]).toEqual([undefined, undefined, undefined]);
    });
  });

  it('goes into the history without these nulls, with what the Responses API wants back', async () => {
    answers = [
      {
        id: 'r1',
        created_at: 1,
        model: 'gpt-test',
        output: [{ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'order', arguments: written }],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      {
        id: 'r2',
        created_at: 1,
        model: 'gpt-test',
        output: [
          {
            type: 'message',
            role: 'assistant',
            id: 'm1',
            content: [{ type: 'output_text', text: 'Done', annotations: [] }],
          },
        ],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    ];
    const { client } = await applicationOf(responses(), ShopTools);
    expect(
      await client
        .prompt('Tea')
        .options({ providerOptions: { openai: { store: false } } })
        .call()
        .content(),
    ).toBe('Done');
    expect(sent[0].tools).toMatchObject([{ name: 'order', strict: true, parameters: STRICT_ORDER }]);
    const [past] = sent[1].input.filter(({ type }: { type?: string }) => type === 'function_call');
    expect(past).toMatchObject({ call_id: 'c1', arguments: read });
  });

  it('gives a direct caller arguments without these nulls', async () => {
    answers = [chat({ tool_calls: [call] }, 'tool_calls')];
    const tool = toolOf(
      'order',
      { type: 'object', properties: { item: { type: 'string' }, amount: { type: 'integer' } } },
      { strict: true },
    );
    const response = await new AiSdkChatModel(openAi()).call(new Prompt('Tea', { toolCallbacks: [tool] }));
    const { toolCalls } = response.result!.output as AssistantMessage;
    expect(JSON.parse(toolCalls![0]!.arguments)).not.toHaveProperty('amount');
  });

  it('is sent without strict mode if that cannot express its schema, and the log says where', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const prices = toolOf(
      'setPrices',
      { type: 'object', properties: { prices: { type: 'object', additionalProperties: { type: 'number' } } } },
      { strict: true },
    );
    const model = new AiSdkChatModel(openAi());
    for (const text of ['one', 'two']) {
      answers = [chat({ content: text })];
      await model.call(new Prompt(text, { toolCallbacks: [prices] }));
    }
    expect(sent[1].tools[0].function).toMatchObject({ strict: false, parameters: prices.toolDefinition.inputSchema });
    const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('setPrices'));
    expect(lines).toEqual([
      expect.stringMatching(/'setPrices'.*'gpt-test' of openai.chat.*'prices' allows properties/),
    ]);
  });
});

describe('a union at the root of a tool', () => {
  const shapes = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('square'), side: z.number() }),
  ]);
  const received: unknown[] = [];
  const draw = new FunctionToolCallback({
    name: 'draw',
    inputSchema: shapes,
    toolFunction: (shape) => {
      received.push(shape);
      return 'drawn';
    },
  });

  it('reaches the model as one object, and Nestor validates the union', async () => {
    const drawn = (args: object) =>
      chat({ tool_calls: [{ ...call, function: { name: 'draw', arguments: JSON.stringify(args) } }] }, 'tool_calls');
    answers = [drawn({ kind: 'circle', side: 1 }), drawn({ kind: 'square', side: 1 }), chat({ content: 'Done' })];
    const client = ChatClient.create(new AiSdkChatModel(openAi()));
    expect(await client.prompt('Draw').tools(draw).call().content()).toBe('Done');
    expect(sent[0].tools[0].function.parameters).toEqual({
      type: 'object',
      description: 'Use one of these forms: { kind: "circle", radius } or { kind: "square", side }.',
      properties: {
        kind: { type: 'string', enum: ['circle', 'square'] },
        radius: { type: 'number' },
        side: { type: 'number' },
      },
      required: ['kind'],
    });
    expect(received).toEqual([{ kind: 'square', side: 1 }]);
  });

  it('reaches Claude in the same form', async () => {
    const claude = createAnthropic(settings)('claude-test');
    await new AiSdkChatModel(claude).call(new Prompt('Draw', { toolCallbacks: [draw] })).catch(() => undefined);
    expect(sent[0].tools[0].input_schema).toMatchObject({ type: 'object', required: ['kind'] });
    expect(Object.keys(sent[0].tools[0].input_schema)).not.toContain('oneOf');
  });
});

describe('a tool over the wire of Gemini', () => {
  const declarationOf = async (tool: FunctionToolCallback, model: AiSdkLanguageModel) => {
    await new AiSdkChatModel(model).call(new Prompt('Hi', { toolCallbacks: [tool] })).catch(() => undefined);
    return sent[0].tools[0].functionDeclarations[0];
  };
  const point = toolOf('locate', {
    type: 'object',
    properties: { point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] } },
  });

  it('has a schema that Gemini accepts', async () => {
    const { module, client } = await applicationOf(gemini(), ShopTools);
    await client
      .prompt('Tea')
      .call()
      .content()
      .catch(() => undefined);
    expect(module.get(ShopTools).received).toEqual([]);
    expect(sent[0].tools[0].functionDeclarations[0].parameters).toMatchObject({
      type: 'object',
      properties: {
        item: { type: 'string' },
        mail: { type: 'string' },
        to: { properties: { floor: { type: 'string' } } },
      },
      required: ['item', 'to'],
    });
    expect(JSON.stringify(sent[0])).not.toContain('email');
  });

  it.each<[string, JsonSchema, RegExp]>([
    ['a tuple', point.toolDefinition.inputSchema, /'point' is a tuple\. Use an object/],
    ['an enum of several types', { type: 'object', properties: { size: { enum: ['S', 1] } } }, /'size' has an enum/],
    ['recursion through the root', { type: 'object', properties: { next: { $ref: '#' } } }, /'next' contains itself/],
  ])('is refused before the call by its name for %s', async (_what, inputSchema, reason) => {
    const failing = ChatClient.create(new AiSdkChatModel(gemini())).prompt('Hi').tools(toolOf('locate', inputSchema));
    const failure = await failing
      .call()
      .content()
      .catch((error: unknown) => error);
    expect(String(failure)).toMatch(/The tool 'locate' cannot be offered to the model 'gemini-2.5-flash'/);
    expect(String(failure)).toMatch(reason);
    expect(sent).toEqual([]);
  });

  it('is sent as a JSON Schema by version 4 of the package, which keeps tuples', async () => {
    const declaration = await declarationOf(point, createGoogleV4(settings)('gemini-2.5-flash') as AiSdkLanguageModel);
    expect(declaration.parametersJsonSchema).toEqual(point.toolDefinition.inputSchema);
  });

  it('is sent as a JSON Schema if a definition contains itself', async () => {
    const $defs = { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } };
    const tree = toolOf('grow', { type: 'object', properties: { node: { $ref: '#/$defs/Node' } }, $defs });
    expect((await declarationOf(tree, gemini())).parametersJsonSchema).toEqual(tree.toolDefinition.inputSchema);
  });
});

describe('the schema of an answer', () => {
  const ask = (model: AiSdkLanguageModel, type: EntityType, ...tools: ToolSource[]): Promise<unknown> => {
    const request = ChatClient.create(new AiSdkChatModel(model)).prompt('Order tea');
    return request
      .tools(...tools)
      .call()
      .entity(type as never, (spec) => spec.useProviderStructuredOutput().schemaValidation());
  };
  const wordsOf = (body: any): string => JSON.stringify(body.messages ?? body.contents);

  it('is strict at OpenAI, and null for an optional property is read as absent', async () => {
    answers = [chat({ content: written })];
    const order = (await ask(openAi(), Order)) as Order;
    expect(sent).toHaveLength(1);
    expect(sent[0].response_format.json_schema).toMatchObject({ strict: true, schema: STRICT_ORDER });
    expect(order).toBeInstanceOf(Order);
    expect([order.item, order.amount, order.to.floor]).toEqual(['tea', undefined, undefined]);
  });

  it('is described in words if strict mode cannot express it', async () => {
    answers = [chat({ content: '{"tea":2}' })];
    expect(await ask(openAi(), Map)).toEqual(new Map([['tea', 2]]));
    expect(sent[0].response_format).toBeUndefined();
    expect(wordsOf(sent[0])).toContain('JSON Schema');
  });

  it.each([
    [true, false],
    [false, true],
  ])('is native at a compatible server that has schemas (%s), or in words', async (isNative, isInWords) => {
    answers = [chat({ content: read })];
    expect(await ask(compatible(isNative), Order)).toMatchObject({ item: 'tea' });
    expect(sent[0].response_format !== undefined).toBe(isNative);
    expect(wordsOf(sent[0]).includes('JSON Schema')).toBe(isInWords);
  });

  it.each([
    ['gemini-2.5-flash', true],
    ['gemini-3-pro', false],
  ])('is in words for %s with tools: %s', async (name, isInWords) => {
    const answer = { candidates: [{ content: { parts: [{ text: read }] }, finishReason: 'STOP' }] };
    answers = [answer, answer];
    expect(await ask(gemini(name), Order, toolOf('add', { type: 'object', properties: {} }))).toMatchObject({
      item: 'tea',
    });
    expect(sent[0].generationConfig.responseMimeType).toBe(isInWords ? undefined : 'application/json');
    expect(wordsOf(sent[0]).includes('JSON Schema')).toBe(isInWords);
    sent.length = 0;
    await ask(gemini(name), Order);
    expect(sent[0].generationConfig).toMatchObject({ responseMimeType: 'application/json', responseSchema: {} });
  });
});

describe('a tool of the provider', () => {
  it('is sent after the functions', async () => {
    answers = [{ id: 'r', created_at: 1, model: 'm', output: [], usage: { input_tokens: 1, output_tokens: 1 } }];
    const prompt = new Prompt('Hi', {
      toolCallbacks: [toolOf('add', { type: 'object', properties: {} })],
      providerTools: [providerTool('openai.web_search')],
    });
    await new AiSdkChatModel(responses()).call(prompt).catch(() => undefined);
    expect(sent[0].tools).toMatchObject([{ type: 'function', name: 'add' }, { type: 'web_search' }]);
  });

  it('of another provider fails the request before the call', async () => {
    const prompt = new Prompt('Hi', { providerTools: [providerTool('anthropic.web_search_20250305')] });
    await expect(new AiSdkChatModel(responses()).call(prompt)).rejects.toThrow(
      "The tool 'anthropic.web_search_20250305' does not work with the model 'gpt-test' of openai.responses.",
    );
    expect(sent).toEqual([]);
  });
});
