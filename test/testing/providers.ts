import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import type { ChatModel } from '@nestor-ai/core';

/** Answers with JSON bodies in order, in the place of a provider's API. */
const answering = (...bodies: object[]): typeof fetch => {
  const left = [...bodies];
  return () => Promise.resolve(Response.json(left.shift() ?? { error: { message: 'The script is over.' } }));
};

/** Answers with the events of a stream, one list for each request. */
const streaming = (...answers: (readonly object[])[]): typeof fetch => {
  const left = [...answers];
  return () => {
    const events = (left.shift() ?? []).map((event) => {
      const { type } = event as { type?: string };
      return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
    });
    return Promise.resolve(new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } }));
  };
};

const apiKey = 'not-a-key';

/** Claude: signed thinking, then a web search of the provider, then text with a citation. */
export const claude = (): ChatModel => {
  const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const usage = { input_tokens: 2679, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 };
  const page = { url: 'https://example.com/lamps', title: 'Lamps of the year', encrypted_content: 'EqgfCioIARgBIiQ3' };
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'msg_01G1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'I should ' },
      { type: 'thinking_delta', thinking: 'search for lamps.' },
      { type: 'signature_delta', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
    ),
    ...block(
      1,
      { type: 'server_tool_use', id: 'srvtoolu_014h', name: 'web_search', input: {} },
      { type: 'input_json_delta', partial_json: '{"query":' },
      { type: 'input_json_delta', partial_json: ' "lamps"}' },
    ),
    ...block(2, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_014h',
      content: [{ type: 'web_search_result', ...page, page_age: 'April 30, 2025' }],
    }),
    ...block(
      3,
      { type: 'text', text: '', citations: [] },
      { type: 'text_delta', text: 'The best lamp ' },
      { type: 'text_delta', text: 'is the Nestor.' },
      {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          cited_text: 'The Nestor wins.',
          url: page.url,
          title: page.title,
          encrypted_index: 'Eo8BCioIAhgBIiQy',
        },
      },
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 510, server_tool_use: { web_search_requests: 1 } },
    },
    { type: 'message_stop' },
  ];
  let sources = 0;
  const generateId = (): string => `source_${++sources}`;
  return new AiSdkChatModel(createAnthropic({ apiKey, fetch: streaming(events), generateId })('claude-sonnet-4-5'), {
    maxTokens: 2000,
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  });
};

/** GPT over the Responses API: an encrypted reasoning item and a function call, then the answer. */
export const gpt = (): ChatModel => {
  const response = (id: string, output: object[]): object => ({
    id,
    object: 'response',
    created_at: 1741476542,
    status: 'completed',
    model: 'gpt-5-2025-08-07',
    output,
    usage: {
      input_tokens: 75,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 86,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 161,
    },
  });
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_hwJ6',
    name: 'stock',
    arguments: '{"article":"lamp"}',
  };
  const fetch = answering(
    response('resp_1', [
      {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'gAAAAABnnQ',
        summary: [{ type: 'summary_text', text: 'I look at the stock.' }],
      },
      { ...call, status: 'completed' },
    ]),
    response('resp_2', [
      {
        type: 'message',
        id: 'msg_2',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'There are three lamps.', annotations: [] }],
      },
    ]),
  );
  return new AiSdkChatModel(createOpenAI({ apiKey, fetch }).responses('gpt-5'), {
    providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'], reasoningSummary: 'auto' } },
  });
};

/** Gemini: a thought, and a function call with the signature that it expects back, then the answer. */
export const gemini = (): ChatModel => {
  const event = (parts: object[], finishReason?: string): object => ({
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 61, candidatesTokenCount: 15, totalTokenCount: 129, thoughtsTokenCount: 53 },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r4kZaN',
  });
  const fetch = streaming(
    [
      event([{ text: 'The stock tool knows.', thought: true }]),
      event([{ functionCall: { name: 'stock', args: { article: 'lamp' } }, thoughtSignature: 'CiQB0e2Kb5z7' }], 'STOP'),
    ],
    [event([{ text: 'There are ' }]), event([{ text: 'three lamps.' }], 'STOP')],
  );
  let calls = 0;
  const settings = { apiKey, fetch, generateId: () => `call_${++calls}` };
  return new AiSdkChatModel(createGoogleGenerativeAI(settings)('gemini-2.5-flash'), {
    providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
  });
};
