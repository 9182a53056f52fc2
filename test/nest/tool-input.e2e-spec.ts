import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  type ChatClientEvent,
  type ChatResponse,
  InMemorySuspendedTurnRepository,
  providerTool,
  SuspendedTurnRepository,
  Tool,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { type Observable, lastValueFrom, toArray } from 'rxjs';
import { type Scene, startApplication } from './application.js';

@Injectable()
class Shop {
  @Tool()
  findOrder(id: string): string {
    return `found ${id}`;
  }

  @Tool({ needsApproval: true })
  refund(id: string): string {
    return `refunded ${id}`;
  }
}

const all = <T>(stream: Observable<T>): Promise<T[]> => lastValueFrom(stream.pipe(toArray()));
const of = <Type extends ChatClientEvent['type']>(events: readonly ChatClientEvent[], type: Type) =>
  events.filter((event): event is Extract<ChatClientEvent, { type: Type }> => event.type === type);

const found = (...ids: string[]): ScriptEntry => ({
  text: 'Let me look.',
  streamToolInput: true,
  toolCalls: ids.map((id) => toolCall('findOrder', { id }, `call-${id}`)),
});

const eventsOf = async (script: readonly ScriptEntry[]): Promise<ChatClientEvent[]> => {
  const { client } = await startApplication({ providers: [Shop] }, script);
  return all(client.prompt('Go').stream().events());
};

describe('the events of tool input', () => {
  it('come before the calls, with the text and the value so far', async () => {
    const events = await eventsOf([found('first', 'second'), 'Here.']);

    const deltas = of(events, 'tool-input-delta');
    const ofFirst = deltas.filter(({ toolCall: { id } }) => id === 'call-first');
    expect(ofFirst.map(({ text, input, round }) => [text, input, round])).toEqual([
      ['', undefined, 0],
      ['{"id":"f', { id: 'f' }, 0],
      ['{"id":"first"}', { id: 'first' }, 0],
    ]);
    expect(deltas.map(({ delta }) => delta).join('')).toBe('{"id":"first"}{"id":"second"}');
    const types = events.map(({ type }) => type);
    expect(types.lastIndexOf('tool-input-delta')).toBeLessThan(types.indexOf('tool-call'));
    expect(of(events, 'tool-call')).toHaveLength(2);
  });

  it('can be copied, and say in which round the model writes', async () => {
    const events = await eventsOf([found('a'), found('a'), 'Here.']);

    const copies = of(events, 'tool-input-delta').map((event) => ({ ...event }));
    expect(copies.map(({ round }) => round)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(copies.at(-1)).toMatchObject({ text: '{"id":"a"}', input: { id: 'a' } });
  });

  it('are not in the text, and an answer is what it is without them', async () => {
    const { client } = await startApplication({ providers: [Shop] }, [
      found('a'),
      '{"total":1}',
      found('a'),
      '{"total":2}',
      found('a'),
      '{"total":3}',
    ]);

    const texts = await all(client.prompt('Go').stream().content());
    expect(texts).toEqual(['Let ', 'me ', 'look.', '{"total":1}']);

    const values = await all(client.prompt('Go').stream().entity({ type: 'object' }));
    expect(values.at(-1)).toEqual({ total: 2 });

    const chunks = await all(client.prompt('Go').stream().chatResponse());
    expect(chunks.filter(({ result }) => result?.toolInput)).toHaveLength(3);
    expect(chunks.map(({ text }) => text ?? '').join('')).toBe('Let me look.{"total":3}');
  });
});

const SEARCH = { id: 's1', name: 'web_search', arguments: '{"query":"x"}', result: ['a'] };

describe('the events of provider tools, sources and files', () => {
  it('come once each, with their round, before our tools run', async () => {
    const events = await eventsOf([
      {
        providerToolCalls: [SEARCH],
        sources: [{ type: 'url', id: '1', url: 'https://a.example' }],
        media: [{ mimeType: 'image/png', data: 'AQID' }],
        toolCalls: [toolCall('findOrder', { id: 'a' })],
      },
      { text: 'Here.', providerToolCalls: [{ ...SEARCH, id: 's2', result: 'broken', isError: true }] },
    ]);

    expect(events.map(({ type }) => type).filter((type) => type !== 'usage')).toEqual([
      'provider-tool-call',
      'provider-tool-result',
      'source',
      'file',
      'tool-call',
      'tool-result',
      'provider-tool-call',
      'provider-tool-result',
      'text',
      'finish',
    ]);
    const { result: _result, ...call } = SEARCH;
    expect(of(events, 'provider-tool-call')).toMatchObject([
      { toolCall: call, round: 0 },
      { toolCall: { ...call, id: 's2' }, round: 1 },
    ]);
    expect(of(events, 'provider-tool-result')).toMatchObject([
      { toolCall: call, result: ['a'], round: 0 },
      { result: 'broken', isError: true, round: 1 },
    ]);
  });

  it('have several results of a call, if the provider sends some before the last', async () => {
    const { id, name, arguments: given } = SEARCH;
    const preliminary = { id, name, arguments: given, result: 'half' };
    const script: ScriptEntry[] = [{ text: 'Here.', providerToolCalls: [preliminary, SEARCH] }];

    const events = await eventsOf(script);
    expect(of(events, 'provider-tool-call')).toHaveLength(1);
    expect(of(events, 'provider-tool-result').map(({ result }) => result)).toEqual(['half', ['a']]);
  });

  it('are parts of the answer of a turn that waits for approval', async () => {
    const { client } = await startApplication({ providers: [Shop] }, [
      { text: 'May I?', providerToolCalls: [SEARCH], toolCalls: [toolCall('refund', { id: 'a' })] },
    ]);
    const answer = await client.prompt('Go').call().chatResponse();
    expect(answer!.result!.output).toMatchObject({ text: 'May I?', providerToolCalls: [SEARCH] });
    expect(answer!.pendingApprovals).toHaveLength(1);
  });
});

const searching = (call: ReturnType<typeof toolCall>, times = 1): ScriptEntry => ({
  providerToolCalls: Array.from({ length: times }, (_, at) => ({ ...SEARCH, id: `s${at}-${call.id}` })),
  toolCalls: [call],
});
const tools = (limits: object) => ({ properties: { tools: { limits } } });
const offered = ({ model }: Scene): string[][] =>
  model.prompts.map(({ options }) => (options?.providerTools ?? []).map(({ name }) => name));
const ask = ({ client }: Scene): Promise<ChatResponse | undefined> =>
  client
    .prompt('Go')
    .tools(
      'findOrder',
      'refund',
      providerTool('anthropic.web_search_20250305'),
      providerTool('anthropic.code_20250522'),
    )
    .call()
    .chatResponse();

describe('the limits of a turn', () => {
  const script = [
    searching(toolCall('findOrder', { id: 'a' }), 2),
    searching(toolCall('findOrder', { id: 'b' })),
    'Ok',
  ];
  const both = ['web_search', 'code'];

  it('count the calls of the provider, and leave none of its tools when they are used up', async () => {
    const scene = await startApplication({ providers: [Shop] }, script, tools({ maxTotalToolCalls: 5 }));
    expect((await ask(scene))!.text).toBe('Ok');
    expect(offered(scene)).toEqual([both, both, []]);
  });

  it('do not offer a tool of the provider again that has reached its limit', async () => {
    const limits = { maxCallsPerTool: { web_search: 3 } };
    const scene = await startApplication({ providers: [Shop] }, script, tools(limits));
    expect((await ask(scene))!.text).toBe('Ok');
    expect(offered(scene)).toEqual([both, both, ['code']]);
  });

  it('end the turn when a call of ours exceeds the total', async () => {
    const limits = { maxTotalToolCalls: 3 };
    const scene = await startApplication({ providers: [Shop] }, script, tools(limits));
    expect((await ask(scene))!.finishReason).toBe('toolCallLimitExceeded');
    expect(offered(scene)).toEqual([both, []]);
  });

  it('hold over an approval', async () => {
    const limits = { maxCallsPerTool: { web_search: 2 } };
    const repository = new InMemorySuspendedTurnRepository();
    const scene = await startApplication(
      { providers: [Shop] },
      [searching(toolCall('refund', { id: 'a' }, 'r'), 2), 'Ok'],
      {
        ...tools(limits),
        providers: [{ provide: SuspendedTurnRepository, useValue: repository }],
      },
    );
    const { turnId } = (await ask(scene))!;
    const answer = await scene.client
      .prompt()
      .tools('refund', providerTool('anthropic.web_search_20250305'), providerTool('anthropic.code_20250522'))
      .toolApprovals([{ toolCallId: 'r', approved: true }], { turnId: turnId! })
      .call()
      .content();
    expect(answer).toBe('Ok');
    expect(offered(scene)).toEqual([both, ['code']]);
  });
});
