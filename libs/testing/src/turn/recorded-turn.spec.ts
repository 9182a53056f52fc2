import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiExtension,
  AiModule,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatModel,
  FunctionToolCallback,
  ToolCallingAdvisor,
  type Turn,
  type TurnObserver,
} from '@nestor-ai/core';
import type { TurnControl } from '@nestor-ai/core/internal';
import { toolCall } from '../scripted-answer.js';
import { ScriptedChatModel } from '../scripted-chat-model.js';
import { recordTurn } from './record-turn.js';
import { RecordedTurn } from './recorded-turn.js';

const echo = new FunctionToolCallback({
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  toolFunction: ({ text }: { text?: string }) => text ?? '',
  toolMetadata: { returnDirect: false, needsApproval: ({ text }: { text?: string }) => text === 'secret' },
});
const script = () => [
  { toolCalls: [toolCall('echo', { text: 'a' }, '1'), toolCall('echo', { text: 'b' }, '2')], usage: usageOf(3) },
  { text: 'a and b', usage: usageOf(5) },
];
const usageOf = (tokens: number) => ({ promptTokens: tokens, completionTokens: 1, totalTokens: tokens + 1 });

/** An application whose turns are observed. */
async function observed(
  chatModel: ChatModel,
  ...observers: ((turn: Turn, client: string) => TurnObserver | undefined)[]
) {
  const modules = observers.map((observe) => {
    class Observing extends AiExtension {
      override observe(turn: Turn, client = ''): TurnObserver | undefined {
        return observe(turn, client);
      }
    }
    @Module({ providers: [{ provide: AiExtension, useClass: Observing }] })
    class ObservingModule {}
    return ObservingModule;
  });
  const app = await Test.createTestingModule({ imports: [AiModule.forRoot({ chatModel }), ...modules] }).compile();
  app.useLogger(false);
  await app.init();
  return app;
}

describe('the record of a turn', () => {
  it.each([false, true])('has the calls of models and tools (stream: %s)', async (stream) => {
    const client = ChatClient.create(new ScriptedChatModel(script()));
    const turn = await recordTurn(client.prompt('Go').tools(echo).toolContext({ tenant: 'acme', db: {} }), { stream });
    expect(turn).toMatchObject({ status: 'completed', answer: 'a and b', usage: { totalTokens: 10 } });
    expect(turn.modelCalls.map(({ messages, response }) => [messages.length, response!.text])).toEqual([
      [1, ''],
      [3, 'a and b'],
    ]);
    expect(turn.toolCalls.map(({ asked, response }) => [asked.id, response!.responseData])).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    expect(turn.duration).toBeGreaterThan(0);
    // Only what JSON can carry is kept of the tool context.
    expect(turn.modelCalls[0]!.options.toolContext).toEqual({ tenant: 'acme' });
    expect(Object.getOwnPropertySymbols(turn.modelCalls[0]!.options)).toEqual([]);
  });

  it('has the options of each model call, also of those that an advisor has changed', async () => {
    class Colder extends BaseAdvisor {
      override readonly name = 'Colder';
      override readonly order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
      #topP = 1;

      override before(request: ChatClientRequest): ChatClientRequest {
        this.#topP /= 2;
        return {
          ...request,
          prompt: request.prompt.with({ options: { ...request.prompt.options, topP: this.#topP } }),
        };
      }
    }
    const client = ChatClient.create(new ScriptedChatModel(script()));
    const turn = await recordTurn(client.prompt('Go').tools(echo).advisors(new Colder()));
    expect(turn.modelCalls.map(({ options }) => options.topP)).toEqual([0.5, 0.25]);
  });

  it('goes on when a suspended turn goes on', async () => {
    const records: RecordedTurn[] = [];
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('echo', { text: 'secret' }, '1')] }, 'Done.']);
    const app = await observed(chatModel, (turn, client) => {
      const known = records.find(({ id }) => id === turn.id);
      if (known) {
        known.resume();
        return known;
      }
      const record = new RecordedTurn(turn, client);
      records.push(record);
      return record;
    });
    const client = app.get(ChatClient);
    const held = await client.prompt('Go').tools(echo).call().chatResponse();
    expect(records).toMatchObject([{ status: 'suspended', pending: [{ id: '1' }], client: 'default' }]);
    const approvals = [{ toolCallId: '1', approved: true }];
    await client.prompt().tools(echo).toolApprovals(approvals, { turnId: held!.turnId }).call().content();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: 'completed', answer: 'Done.', pending: [] });
    expect(records[0]!.toolCalls).toMatchObject([{ asked: { id: '1' }, response: { responseData: 'secret' } }]);
    await app.close();
  });

  it('does not disturb the turn if an observer fails', async () => {
    const fail = (): never => {
      throw new Error('The disk is full.');
    };
    const app = await observed(
      new ScriptedChatModel(script()),
      () => ({ modelAsked: fail, toolCalled: fail, toolEnded: fail, turnEnded: fail }),
      () => ({
        modelAsked: () => ({ next: fail, error: fail, complete: fail }),
        toolEnded: () => Promise.reject(fail),
      }),
      () => undefined,
    );
    expect(await app.get(ChatClient).prompt('Go').tools(echo).call().content()).toBe('a and b');
    await app.close();
  });

  it('keeps the error of a stream that its subscriber leaves', async () => {
    const client = ChatClient.create(new ScriptedChatModel([{ text: 'one two three', delay: 5 }]));
    const records: RecordedTurn[] = [];
    const { FollowedRequest } = await import('./followed-request.js');
    const onTurn = (turn: ConstructorParameters<typeof RecordedTurn>[0]): void => {
      const record = new RecordedTurn(turn, 'default');
      records.push(record);
      (turn as TurnControl).observe(record);
    };
    for await (const _chunk of client.prompt('Go').advisors(new FollowedRequest({ onTurn })).stream().content()) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(records[0]!.modelCalls[0]!.error).toMatchObject({ name: 'AbortError' });
    expect(records[0]!.status).toBe('failed');
  });
});
