import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Logger } from '@nestjs/common';
import { AiSdkChatModel, type AiSdkLanguageModel } from '@nestor-ai/ai-sdk';
import {
  type AssistantMessage,
  ChatClient,
  type ChatOptions,
  FunctionToolCallback,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  Prompt,
  providerTool,
  ToolCallingAdvisor,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { createAnthropic as createAnthropicV4 } from 'ai-sdk-anthropic-v4';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import { lastValueFrom } from 'rxjs';
import { wholeAnswers } from '../fake-language-model.js';
import {
  anthropicAnswer,
  functionCall,
  message,
  openAiAnswer,
  reasoning,
  webSearch,
  type Wire,
  wireOf,
} from './wire-answers.js';

const thinking = (signature: string) => ({ type: 'thinking', thinking: `because of ${signature}`, signature });
const SEARCH_RESULT = {
  type: 'web_search_result',
  url: 'https://a.example',
  title: 'A',
  page_age: null,
  encrypted_content: 'enc',
};
const SEARCHED = [
  thinking('s1'),
  { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: { query: 'news' } },
  { type: 'web_search_tool_result', tool_use_id: 'srv1', content: [SEARCH_RESULT] },
  thinking('s2'),
  { type: 'text', text: 'I found it.' },
  { type: 'tool_use', id: 'toolu1', name: 'save', input: { note: 'n' } },
];

const save = new FunctionToolCallback({
  name: 'save',
  description: 'Save a note',
  inputSchema: { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] },
  toolFunction: () => 'saved',
});

/** A client with a memory of all rounds, the tool `save`, and a tool of the provider. */
function clientOf(model: AiSdkLanguageModel, options: ChatOptions = {}, tool = 'openai.web_search'): ChatClient {
  const order = ToolCallingAdvisor.DEFAULT_ORDER + 1;
  const memory = new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory(), order });
  return ChatClient.builder(new AiSdkChatModel(model))
    .defaultTools(save, providerTool(tool))
    .defaultOptions(options)
    .defaultAdvisors(memory)
    .build();
}

const ask = (client: ChatClient, text: string) => client.prompt(text).conversation('c').call().content();
const ASKS = [
  ['call', ask],
  [
    'stream',
    (client: ChatClient, text: string) => lastValueFrom(client.prompt(text).conversation('c').stream().content()),
  ],
] as const;

beforeAll(() => Logger.overrideLogger(false));

const OPENAI = {
  'version 3': ({ fetch }: Wire) => createOpenAI({ apiKey: 'k', fetch }).responses('gpt-5'),
  'version 4': ({ fetch }: Wire) => createOpenAIV4({ apiKey: 'k', fetch }).responses('gpt-5'),
};

describe.each(Object.entries(OPENAI))('a web search of OpenAI, %s', (_version, modelOf) => {
  const turn = (): Wire =>
    wireOf(
      openAiAnswer('resp_1', [reasoning('rs_1'), webSearch('ws_1'), reasoning('rs_2'), functionCall('fc_1', 'call_1')]),
      openAiAnswer('resp_2', [message('msg_1', 'Saved.')]),
      openAiAnswer('resp_3', [message('msg_2', 'You are welcome.')]),
    );

  it.each(ASKS)('stays in its place between the reasoning and the call of a tool (%s)', async (_how, ask) => {
    const wire = turn();
    const client = clientOf(modelOf(wire));
    expect(await ask(client, 'What is new?')).toBe('Saved.');
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'What is new?' }] },
      { type: 'item_reference', id: 'rs_1' },
      { type: 'item_reference', id: 'ws_1' },
      { type: 'item_reference', id: 'rs_2' },
      { type: 'function_call', call_id: 'call_1', name: 'save', arguments: '{"note":"n"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'saved' },
    ];
    expect(wire.bodies[1]!.input).toEqual(input);
    expect(await ask(client, 'Thanks!')).toBe('You are welcome.');
    expect((wire.bodies[2]!.input as object[]).slice(0, input.length)).toEqual(input);
  });

  it.each(ASKS)('goes back with its data if OpenAI does not store answers (%s)', async (_how, ask) => {
    const wire = turn();
    const client = clientOf(modelOf(wire), { providerOptions: { openai: { store: false } } });
    await ask(client, 'What is new?');
    expect((wire.bodies[1]!.input as object[]).slice(1, 5)).toMatchObject([
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'secret of rs_1' },
      { type: 'web_search_call', id: 'ws_1' },
      { type: 'reasoning', id: 'rs_2', encrypted_content: 'secret of rs_2' },
      { type: 'function_call', call_id: 'call_1' },
    ]);
  });

  it.each(wholeAnswers)('is part of the answer (%s)', async (_how, ask) => {
    const { result, metadata } = await ask(modelOf(turn()) as never);
    expect(result?.output).toMatchObject({
      toolCalls: [{ id: 'call_1', name: 'save' }],
      providerToolCalls: [{ id: 'ws_1', name: 'web_search', result: { action: { query: 'news' } } }],
    });
    expect(metadata.usage?.reasoningTokens).toBe(4);
    expect(metadata.headers).toHaveProperty('content-type');
  });
});

describe.each(wholeAnswers)('a call of an MCP server of OpenAI that needs approval (%s)', (_how, ask) => {
  it.each([true, false])('is approved or denied in the next request: %s', async (approved) => {
    const wire = wireOf(
      openAiAnswer('resp_1', [
        reasoning('rs_1'),
        { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'bank', name: 'pay', arguments: '{"sum":5}' },
      ]),
      openAiAnswer('resp_2', [
        {
          type: 'mcp_call',
          id: 'mcp_1',
          status: 'completed',
          server_label: 'bank',
          name: 'pay',
          arguments: '{"sum":5}',
          output: 'paid',
          approval_request_id: 'mcpr_1',
        },
        message('msg_1', 'Paid.'),
      ]),
      openAiAnswer('resp_3', [message('msg_2', 'Bye.')]),
    );
    const model = createOpenAI({ apiKey: 'k', fetch: wire.fetch }).responses('gpt-5');
    const asks = (await ask(model as never)).result!.output;
    expect(asks.providerToolCalls).toBeUndefined();
    expect(asks.toolCalls).toMatchObject([{ name: 'mcp.pay', arguments: '{"sum":5}', providerApprovalId: 'mcpr_1' }]);
    const [{ id, name }] = asks.toolCalls as [AssistantMessage['toolCalls'][number]];
    const decision = { id, name, responseData: '', providerApproval: { approvalId: 'mcpr_1', approved } };
    const history = [new UserMessage('Pay.'), asks, new ToolResponseMessage({ responses: [decision] })];
    const paid = (await new AiSdkChatModel(model).call(new Prompt(history))).result!.output;
    const sent = [
      { type: 'item_reference', id: 'rs_1' },
      { type: 'item_reference', id: 'mcpr_1' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: approved },
    ];
    expect((wire.bodies[1]!.input as object[]).slice(1)).toEqual(sent);
    expect(paid.providerToolCalls).toMatchObject([{ name: 'mcp.pay', result: { output: 'paid' } }]);
    await new AiSdkChatModel(model).call(new Prompt([...history, paid, new UserMessage('Thanks.')]));
    expect((wire.bodies[2]!.input as object[]).slice(1, -1)).toEqual([
      ...sent,
      { type: 'item_reference', id: 'mcp_1' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Paid.' }] },
    ]);
  });
});

const ANTHROPIC = {
  'version 3': ({ fetch }: Wire) => createAnthropic({ apiKey: 'k', fetch })('claude-sonnet-4-5'),
  'version 4': ({ fetch }: Wire) => createAnthropicV4({ apiKey: 'k', fetch })('claude-sonnet-4-5'),
};

describe.each(Object.entries(ANTHROPIC))('a web search of Anthropic, %s', (_version, modelOf) => {
  const turn = (): Wire =>
    wireOf(
      anthropicAnswer('msg_1', SEARCHED, 'tool_use'),
      anthropicAnswer('msg_2', [{ type: 'text', text: 'Saved.' }], 'end_turn'),
    );
  const providerOptions = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } };

  it.each(ASKS)('separates the thinking before and after it (%s)', async (_how, ask) => {
    const wire = turn();
    const client = clientOf(modelOf(wire), { providerOptions }, 'anthropic.web_search_20250305');
    expect(await ask(client, 'What is new?')).toMatch(/Saved\.$/);
    const [, answer] = wire.bodies[1]!.messages as { role: string; content: object[] }[];
    expect(answer).toEqual({ role: 'assistant', content: SEARCHED });
  });

  it.each(wholeAnswers)('and its sources are part of the answer (%s)', async (_how, ask) => {
    const { result } = await ask(modelOf(turn()) as never);
    expect(result?.output).toMatchObject({
      text: 'I found it.',
      toolCalls: [{ id: 'toolu1', name: 'save', arguments: '{"note":"n"}' }],
      providerToolCalls: [{ id: 'srv1', name: 'web_search', arguments: '{"query":"news"}' }],
      sources: [{ type: 'url', url: 'https://a.example', title: 'A' }],
    });
    expect(result?.output.providerToolCalls?.[0]?.result).toMatchObject([{ url: 'https://a.example' }]);
  });
});

describe('an answer goes back to the provider as the AI SDK sends it', () => {
  const inputSchema = jsonSchema<{ note: string }>({ type: 'object', properties: { note: { type: 'string' } } });
  const aiSave = tool({ description: 'Save a note', inputSchema, execute: () => 'saved' });

  it('to OpenAI', async () => {
    const answers = [
      openAiAnswer('resp_1', [reasoning('rs_1'), webSearch('ws_1'), functionCall('fc_1', 'call_1')]),
      openAiAnswer('resp_2', [message('msg_1', 'Saved.')]),
    ];
    const [ours, theirs] = [wireOf(...answers), wireOf(...answers)];
    await ask(clientOf(OPENAI['version 3'](ours)), 'Hi');
    const { tools } = createOpenAI({ apiKey: 'k' });
    await generateText({
      model: OPENAI['version 3'](theirs),
      prompt: 'Hi',
      tools: { save: aiSave, web_search: tools.webSearch() as never },
      stopWhen: stepCountIs(2),
    });
    expect(ours.bodies[1]!.input).toEqual(theirs.bodies[1]!.input);
  });

  it('to Anthropic', async () => {
    const answers = [
      anthropicAnswer('msg_1', SEARCHED, 'tool_use'),
      anthropicAnswer('msg_2', [{ type: 'text', text: 'Saved.' }], 'end_turn'),
    ];
    const [ours, theirs] = [wireOf(...answers), wireOf(...answers)];
    await ask(clientOf(ANTHROPIC['version 3'](ours), {}, 'anthropic.web_search_20250305'), 'Hi');
    const { tools } = createAnthropic({ apiKey: 'k' });
    await generateText({
      model: ANTHROPIC['version 3'](theirs),
      prompt: 'Hi',
      tools: { save: aiSave, web_search: tools.webSearch_20250305() as never },
      stopWhen: stepCountIs(2),
    });
    expect(ours.bodies[1]!.messages).toEqual(theirs.bodies[1]!.messages);
  });
});
