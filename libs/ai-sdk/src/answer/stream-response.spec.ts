import { describe, expect, it } from '@jest/globals';
import { type ChatResponse, type Generation, Prompt } from '@nestor-ai/core';
import { lastValueFrom, toArray } from 'rxjs';
import { FakeLanguageModel, wholeAnswers } from '../../../../test/fake-language-model.js';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import type { StreamPart } from '../specification.js';

const chunksOf = (...parts: StreamPart[]): Promise<ChatResponse[]> =>
  lastValueFrom(new AiSdkChatModel(new FakeLanguageModel([], parts)).stream(new Prompt('U')).pipe(toArray()));

const generationsOf = async (...parts: StreamPart[]): Promise<Generation[]> =>
  (await chunksOf(...parts)).slice(0, -1).map(({ result }) => result!);

describe('the input of a call', () => {
  it('is streamed as the model writes it, before the call', async () => {
    const generations = await generationsOf(
      { type: 'tool-input-start', id: '1', toolName: 'a' },
      { type: 'tool-input-start', id: '2', toolName: 'web', providerExecuted: true },
      { type: 'tool-input-delta', id: '1', delta: '{"x"' },
      { type: 'tool-input-delta', id: '2', delta: '{' },
      { type: 'tool-input-delta', id: '1', delta: ':1}' },
      { type: 'tool-input-delta', id: 'unknown', delta: '{}' },
      { type: 'tool-input-end', id: '1' },
      { type: 'tool-call', toolCallId: '1', toolName: 'a', input: '{"x":1}' },
    );
    expect(generations.map(({ toolInput }) => toolInput)).toEqual([
      { id: '1', name: 'a', delta: '' },
      { id: '2', name: 'web', delta: '', isProviderExecuted: true },
      { id: '1', name: 'a', delta: '{"x"' },
      { id: '2', name: 'web', delta: '{', isProviderExecuted: true },
      { id: '1', name: 'a', delta: ':1}' },
      undefined,
    ]);
    expect(generations.at(-1)?.output.toolCalls).toEqual([{ id: '1', name: 'a', arguments: '{"x":1}' }]);
  });

  it.each([[['print("', 'Grüße\n', '")']], [[]]])('is JSON even if the provider streams text: %j', async (deltas) => {
    const generations = await generationsOf(
      { type: 'tool-input-start', id: '1', toolName: 'python', inputEncoding: 'text' },
      ...deltas.map((delta): StreamPart => ({ type: 'tool-input-delta', id: '1', delta })),
      { type: 'tool-input-end', id: '1' },
    );
    const input = generations.map(({ toolInput }) => toolInput!.delta).join('');
    expect(input).toBe(JSON.stringify(deltas.join('')));
  });
});

describe('a call that the provider runs', () => {
  const call = (dynamic?: boolean): StreamPart => ({
    type: 'tool-call',
    toolCallId: 'm',
    toolName: 'mcp.pay',
    input: '{"sum":5}',
    providerExecuted: true,
    dynamic,
  });
  const result: StreamPart = { type: 'tool-result', toolCallId: 'm', toolName: 'mcp.pay', result: 'paid' };

  it('is one chunk, and its result another', async () => {
    const generations = await generationsOf(call(), result);
    expect(generations.map(({ output }) => output.providerToolCalls)).toEqual([
      [{ id: 'm', name: 'mcp.pay', arguments: '{"sum":5}' }],
      [{ id: 'm', name: 'mcp.pay', arguments: '', result: 'paid' }],
    ]);
  });

  it('is shown while it is unknown whether it needs approval', async () => {
    const generations = await generationsOf(call(true), { type: 'ping' }, result);
    expect(generations.map(({ toolInput, output }) => toolInput ?? output.providerToolCalls?.[0])).toEqual([
      { id: 'm', name: 'mcp.pay', delta: '{"sum":5}', isProviderExecuted: true },
      { id: 'm', name: 'mcp.pay', arguments: '{"sum":5}' },
      { id: 'm', name: 'mcp.pay', arguments: '', result: 'paid' },
    ]);
  });

  it('is no call of the provider if it needs approval after another call', async () => {
    const approvals = ['m', 'n'].map((toolCallId) => ({ type: 'tool-approval-request', approvalId: 'a', toolCallId }));
    const generations = await generationsOf(call(true), { ...call(true), toolCallId: 'n' }, ...approvals);
    expect(generations.flatMap(({ output }) => output.toolCalls.map(({ id }) => id))).toEqual(['m', 'n']);
    expect(generations.flatMap(({ output }) => output.providerToolCalls ?? [])).toEqual([]);
  });

  it('is no call of the provider if it needs approval', async () => {
    const approval: StreamPart = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'm' };
    const generations = await generationsOf(call(true), approval, { type: 'text-delta', id: '0', delta: 'Wait.' });
    expect(generations.map(({ output }) => output.providerToolCalls)).toEqual([undefined, undefined, undefined]);
    expect(generations[1]!.output.toolCalls).toEqual([
      { id: 'm', name: 'mcp.pay', arguments: '{"sum":5}', providerApprovalId: 'a1' },
    ]);
  });

  it('is not lost at the end of a stream', async () => {
    const generations = await generationsOf(call(true));
    expect(generations.at(-1)?.output.providerToolCalls).toHaveLength(1);
  });
});

describe.each(wholeAnswers)('an answer that ends with an error (%s)', (_how, ask) => {
  it.each<[string, StreamPart]>([
    [
      'a call of the provider',
      { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: '', providerExecuted: true },
    ],
    ['a result of the provider', { type: 'tool-result', toolCallId: 'p', toolName: 'web', result: 1 }],
    ['a file', { type: 'file', mediaType: 'image/png', data: 'AAAA' }],
    ['a source', { type: 'source', sourceType: 'url', id: 's', url: 'https://a.example' }],
  ])('after %s has content', async (_what, part) => {
    const finishReason = { unified: 'error', raw: 'FAILED' };
    const model = new FakeLanguageModel([part]).with({ finishReason });
    await expect(ask(model)).resolves.toMatchObject({ finishReason: 'error' });
  });
});
