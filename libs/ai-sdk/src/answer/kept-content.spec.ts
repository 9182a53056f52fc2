import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AssistantMessage, Prompt, ToolResponseMessage } from '@nestor-ai/core';
import { fromMessageJson, toMessageJson } from '../../../core/src/memory/message-json.js';
import { SEARCHED, SENT_BACK, signed } from '../../../../test/fake-answers.js';
import { FakeLanguageModel, sentBack, wholeAnswers } from '../../../../test/fake-language-model.js';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import type { ContentItem } from '../specification.js';

beforeAll(() => Logger.overrideLogger(false));

const throughJson = (message: AssistantMessage): AssistantMessage =>
  fromMessageJson(JSON.parse(JSON.stringify(toMessageJson(message)))) as AssistantMessage;

describe.each(wholeAnswers)('the answer of a model (%s)', (how, ask) => {
  const answerOf = async (content: ContentItem[], version: 'v3' | 'v4' = 'v3'): Promise<AssistantMessage> =>
    (await ask(new FakeLanguageModel(content).with({ specificationVersion: version }))).result!.output;

  it('contains what the provider ran, and is sent back in its order', async () => {
    const answer = await answerOf(SEARCHED);
    expect(answer).toMatchObject({
      text: 'Found it.',
      reasoning: 'First.Then.',
      toolCalls: [{ id: 'c1', name: 'save', arguments: '{"n":1}' }],
      providerToolCalls: [
        { id: 'ws1', name: 'web_search', arguments: '{"q":"x"}', result: [{ url: 'https://a.example' }] },
      ],
      sources: [{ type: 'url', id: 's1', url: 'https://a.example', title: 'A' }],
    });
    expect(await sentBack(answer)).toEqual(SENT_BACK);
    expect(await sentBack(throughJson(answer))).toEqual(SENT_BACK);
  });

  it('is sent to another provider without the calls that only its own provider knows', async () => {
    const answer = await answerOf(SEARCHED);
    const types = (await sentBack(answer, { provider: 'other.chat' })).map(({ type }) => type);
    expect(types).toEqual(['reasoning', 'reasoning', 'text', 'tool-call']);
  });

  it.each([
    ['text', 'sunny', undefined, { type: 'text', value: 'sunny' }],
    ['JSON', { ok: true }, undefined, { type: 'json', value: { ok: true } }],
    ['an error', { errorCode: 'max_uses' }, true, { type: 'error-json', value: { errorCode: 'max_uses' } }],
    ['an error as text', 'failed', true, { type: 'error-json', value: 'failed' }],
  ])('sends a result of a provider back as %s', async (_kind, result, isError, output) => {
    const call = { toolCallId: 'p', toolName: 'web' };
    const answer = await answerOf([
      { type: 'tool-call', ...call, input: '', providerExecuted: true },
      { type: 'tool-result', ...call, result, isError },
    ]);
    expect(answer.providerToolCalls).toEqual([
      { id: 'p', name: 'web', arguments: '', result, ...(isError && { isError }) },
    ]);
    expect(await sentBack(answer)).toMatchObject([{ input: {}, providerExecuted: true }, { output }]);
  });

  it('contains a result whose call was in an earlier answer', async () => {
    const answer = await answerOf([
      { type: 'tool-result', toolCallId: 'p', toolName: 'code', result: 'done', providerMetadata: signed('x') },
      { type: 'text', text: 'Done.' },
    ]);
    expect(answer.providerToolCalls).toEqual([{ id: 'p', name: 'code', arguments: '', result: 'done' }]);
    expect(await sentBack(throughJson(answer))).toEqual([
      {
        type: 'tool-result',
        toolCallId: 'p',
        toolName: 'code',
        output: { type: 'text', value: 'done' },
        providerOptions: signed('x'),
      },
      { type: 'text', text: 'Done.' },
    ]);
  });

  it('asks for the approval of a call that the provider runs', async () => {
    const call = { type: 'tool-call', toolName: 'mcp.pay', input: '{"sum":5}', providerExecuted: true, dynamic: true };
    const answer = await answerOf([
      { type: 'reasoning', text: 'Pay.', providerMetadata: signed('r') },
      { ...call, toolCallId: 'free' },
      { type: 'tool-result', toolCallId: 'free', toolName: 'mcp.pay', result: 'paid' },
      { ...call, toolCallId: 'asks' },
      { type: 'tool-approval-request', approvalId: 'mcpr_1', toolCallId: 'asks' },
    ]);
    expect(answer.toolCalls).toEqual([
      { id: 'asks', name: 'mcp.pay', arguments: '{"sum":5}', providerApprovalId: 'mcpr_1' },
    ]);
    expect(answer.providerToolCalls).toMatchObject([{ id: 'free', result: 'paid' }]);
    const kept = await sentBack(throughJson(answer));
    expect(kept.map((part) => ('toolCallId' in part ? part.toolCallId : part.type))).toEqual([
      'reasoning',
      'free',
      'free',
      'asks',
    ]);
    expect(kept.at(-1)).toEqual({
      type: 'tool-call',
      toolCallId: 'asks',
      toolName: 'mcp.pay',
      input: { sum: 5 },
      providerExecuted: true,
    });
  });

  it.each([
    ['v3', 'AQID', 'AQID', 'AQID'],
    ['v3', Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3), 'AQID'],
    ['v4', { type: 'data', data: 'AQID' }, 'AQID', { type: 'data', data: 'AQID' }],
    ['v4', { type: 'data', data: Uint8Array.of(1, 2, 3) }, Uint8Array.of(1, 2, 3), { type: 'data', data: 'AQID' }],
    [
      'v4',
      { type: 'url', url: new URL('https://a.example/x.png') },
      new URL('https://a.example/x.png'),
      { type: 'url', url: new URL('https://a.example/x.png') },
    ],
  ] as const)('contains the files that a model of %s made (%#)', async (version, data, media, sent) => {
    const answer = await answerOf(
      [
        { type: 'file', mediaType: 'image/png', data, providerMetadata: signed('f') },
        { type: 'text', text: 'A chart.' },
      ],
      version,
    );
    expect(answer.media).toEqual([{ mimeType: 'image/png', data: media, providerOptions: signed('f') }]);
    expect(await sentBack(throughJson(answer), { specificationVersion: version })).toEqual([
      { type: 'file', mediaType: 'image/png', data: sent, providerOptions: signed('f') },
      { type: 'text', text: 'A chart.' },
    ]);
  });

  it('keeps files of the reasoning and parts of the provider, but does not show them', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const answer = await answerOf(
      [
        { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
        { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://a.example/') } },
        { type: 'custom', kind: 'fake.compaction', providerMetadata: signed('k') },
        { type: 'text', text: 'Hi' },
      ],
      'v4',
    );
    expect(answer.media).toBeUndefined();
    expect(await sentBack(throughJson(answer), { specificationVersion: 'v4' })).toEqual([
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://a.example/') } },
      { type: 'custom', kind: 'fake.compaction', providerOptions: signed('k') },
      { type: 'text', text: 'Hi' },
    ]);
    expect(await sentBack(answer, { specificationVersion: 'v3' })).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  it('contains the sources of citations, with the cited text', async () => {
    const document = { type: 'source', sourceType: 'document', id: 'd', mediaType: 'application/pdf', title: 'D' };
    const answer = await answerOf([
      {
        type: 'text',
        text: 'Yes.',
        citations: [{ source: document, citedText: 'It is so.', startIndex: 0, endIndex: 4 }],
      },
      { ...document, filename: 'd.pdf', providerMetadata: signed('s') },
      { type: 'text', text: ' No.', citations: [] },
    ]);
    expect(answer.sources).toEqual([
      {
        type: 'document',
        id: 'd',
        mimeType: 'application/pdf',
        title: 'D',
        citation: { text: 'It is so.', start: 0, end: 4 },
      },
      {
        type: 'document',
        id: 'd',
        mimeType: 'application/pdf',
        title: 'D',
        name: 'd.pdf',
        providerMetadata: signed('s'),
      },
    ]);
    expect(answer.metadata).toBeUndefined();
  });

  it('keeps nothing if text and tool calls say all, and ignores parts that it does not know', async () => {
    const answer = await answerOf([
      { type: 'text', text: 'Hi' },
      { type: 'hologram', text: 'x', providerMetadata: signed('h') },
      { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{}' },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://a.example', providerMetadata: signed('s') },
    ]);
    expect(answer.metadata).toBeUndefined();
    expect(answer).toMatchObject({ text: 'Hi', toolCalls: [{ id: 'c' }], sources: [{ id: 's' }] });
  });

  it(`reports usage, headers and the model's warnings`, async () => {
    const warnings = [
      { type: 'unsupported', feature: 'seed', details: 'No seed.' },
      { type: 'deprecated', setting: 'user', message: 'Use safetyIdentifier.' },
      { type: 'other', message: 'Something.' },
    ];
    const { metadata } = await ask(new FakeLanguageModel([{ type: 'text', text: 'Hi' }]).with({ warnings }));
    expect(metadata.usage).toMatchObject({ completionTokens: 5, reasoningTokens: 3, cacheReadTokens: 4 });
    expect(metadata.headers).toEqual({ 'x-request-id': 'q1' });
    expect(metadata.warnings).toEqual([
      { type: 'unsupported', feature: 'seed', message: 'No seed.' },
      { type: 'deprecated', feature: 'user', message: 'Use safetyIdentifier.' },
      { type: 'other', message: 'Something.' },
    ]);
  });

  if (how === 'call') return;
  it('shows preliminary results, and ends with the final one', async () => {
    const result = (value: string, preliminary = false): ContentItem => ({
      type: 'tool-result',
      toolCallId: 'i',
      toolName: 'draw',
      result: value,
      preliminary,
    });
    const answer = await answerOf([
      { type: 'tool-call', toolCallId: 'i', toolName: 'draw', input: '{}', providerExecuted: true },
      result('sketch', true),
      result('draft', true),
      result('picture'),
    ]);
    expect(answer.providerToolCalls).toEqual([{ id: 'i', name: 'draw', arguments: '{}', result: 'picture' }]);
    expect((await sentBack(answer)).slice(1)).toMatchObject([{ output: { value: 'picture' } }]);
  });
});

it('the decision about a call of the provider is sent in place of a result', async () => {
  const model = new FakeLanguageModel();
  const response = { id: 'c', name: 'mcp.pay', responseData: '' };
  await new AiSdkChatModel(model).call(
    new Prompt([
      new ToolResponseMessage({
        responses: [
          { ...response, providerApproval: { approvalId: 'm1', approved: true } },
          { ...response, providerApproval: { approvalId: 'm2', approved: false, reason: 'Too much.' } },
          { ...response, id: 'd', name: 'save', responseData: 'saved' },
        ],
      }),
    ]),
  );
  expect(model.asked[0]!.prompt[0]!.content).toEqual([
    { type: 'tool-approval-response', approvalId: 'm1', approved: true },
    { type: 'tool-approval-response', approvalId: 'm2', approved: false, reason: 'Too much.' },
    { type: 'tool-result', toolCallId: 'd', toolName: 'save', output: { type: 'text', value: 'saved' } },
  ]);
});
