import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  AiModule,
  ApprovalPolicy,
  ChatClient,
  getChatClientToken,
  InMemorySuspendedTurnRepository,
  SuspendedTurnRepository,
  SuspendedTurns,
  Tool,
  ToolContext,
  type TurnAccess,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { AiTurnsModule, InMemoryTurnJournal } from '@nestor-ai/turns';
import { startApplication } from './application.js';

const of = (id: string, ...roles: string[]) => ({ user: { id, roles } });
const OF_EVERYONE = { ofEveryone: true };
const [ANN, BOB, MIA] = [of('ann'), of('bob'), of('mia', 'manager')];

/** Managers may do everything with the turns of others. */
@Injectable()
class ManagersDecide extends ApprovalPolicy {
  override authorize(access: TurnAccess) {
    const { user } = (access.request ?? {}) as Partial<typeof ANN>;
    return user?.roles.includes('manager') === true || super.authorize(access);
  }
}

@Injectable()
class Bank {
  readonly paid: number[] = [];

  @Tool({ needsApproval: true })
  pay(amount: number): string {
    if (amount === 13) throw new Error('no luck');
    this.paid.push(amount);
    return 'paid';
  }

  @Tool()
  order(context: ToolContext): unknown {
    return context.defer();
  }
}

const pay = (amount: number) => ({ toolCalls: [toolCall('pay', { amount }, `call-${amount}`)] });
const approve = (amount: number) => [{ toolCallId: `call-${amount}`, approved: true }];

async function start(script: readonly ScriptEntry[], repository: SuspendedTurnRepository, tools: object = {}) {
  const desk = new ScriptedChatModel(script);
  const scene = await startApplication(
    { imports: [AiModule.forFeature([{ name: 'desk', chatModel: desk, tools: [Bank] }])], providers: [Bank] },
    script,
    {
      memory: true,
      properties: { tools },
      providers: [
        ...AiTurnsModule.providers(),
        { provide: SuspendedTurnRepository, useValue: repository },
        { provide: ApprovalPolicy, useClass: ManagersDecide },
      ],
    },
  );
  const { app, client } = scene;
  const ask = async (request: object, conversation?: string, asked = client) => {
    const prompt = asked.prompt('Pay').request(request);
    if (conversation !== undefined) prompt.conversation(conversation);
    return (await prompt.call().chatResponse())!.turnId!;
  };
  const turns = app.get(SuspendedTurns);
  const idsOf = async (request: unknown, options?: object) => (await turns.list(request, options)).map(({ id }) => id);
  return { ...scene, desk, ask, turns, idsOf, bank: app.get(Bank), named: app.get(getChatClientToken('desk')) };
}

describe.each([
  ['in memory', () => new InMemorySuspendedTurnRepository()],
  ['in a journal', () => new InMemoryTurnJournal()],
])('turns that wait %s', (_where, create) => {
  it('are listed for users who may read them, with the calls but without the conversation', async () => {
    const { ask, turns, idsOf } = await start([pay(1), pay(2)], create());
    const [first, second] = [await ask(ANN), await ask(BOB)];
    expect(await turns.list(ANN)).toEqual([
      {
        id: first,
        requester: 'ann',
        client: 'default',
        suspendedAt: expect.any(String),
        pending: [{ id: 'call-1', name: 'pay', arguments: '{"amount":1}' }],
      },
    ]);
    expect(await idsOf(BOB)).toEqual([second]);
    expect(await idsOf(MIA)).toEqual([]);
    expect((await idsOf(MIA, OF_EVERYONE)).sort()).toEqual([first, second].sort());
    expect(await idsOf(BOB, OF_EVERYONE)).toEqual([second]);
    expect(await idsOf(undefined, OF_EVERYONE)).toEqual([]);
  });

  it('are found by their own user, however many of others wait', async () => {
    const { ask, idsOf, turns } = await start([pay(1), pay(2), pay(3)], create());
    const mine = await ask(ANN);
    await ask(BOB);
    const last = await ask(BOB);
    expect(await idsOf(ANN, { limit: 1 })).toEqual([mine]);
    expect(await idsOf(MIA, { ofEveryone: true, limit: 1 })).toEqual([last]);
    for (const limit of [0, -1, 1.5, Number.NaN, Infinity, '10' as never])
      await expect(turns.list(ANN, { limit })).rejects.toThrow(/^limit must be a whole number/);
  });

  it('continue after a decision with their client and in their conversation', async () => {
    const { ask, turns, idsOf, bank, client, model, named, desk } = await start([pay(7), 'Paid.', 'Hello.'], create());
    const [first, second] = [await ask(ANN, 'chat'), await ask(ANN, undefined, named)];
    expect((await turns.decide(first, approve(7), MIA))?.text).toBe('Paid.');
    expect((await turns.decide(second, approve(7), ANN))?.text).toBe('Paid.');
    expect(bank.paid).toEqual([7, 7]);
    expect([model.prompts.length, desk.prompts.length]).toEqual([2, 2]);
    expect(await idsOf(ANN)).toEqual([]);
    await client.prompt('And now?').conversation('chat').request(ANN).call().content();
    expect(model.lastPrompt!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('wait again for calls that the decision leaves out', async () => {
    const both: ScriptEntry = { toolCalls: [...pay(1).toolCalls, ...pay(2).toolCalls] };
    const { ask, turns, bank } = await start([both, 'Paid.'], create());
    const turnId = await ask(ANN);
    const response = await turns.decide(turnId, approve(2), ANN);
    expect(response?.pendingApprovals?.map(({ id }) => id)).toEqual(['call-1']);
    expect((await turns.list(ANN))[0]?.pending.map(({ id }) => id)).toEqual(['call-1']);
    expect((await turns.decide(turnId, [{ toolCallId: 'call-1', approved: false }], ANN))?.text).toBe('Paid.');
    expect(bank.paid).toEqual([2]);
  });

  it('are in no list if their user is unknown, because then an id is enough to decide', async () => {
    const { ask, turns, idsOf } = await start([pay(1), 'Paid.'], create());
    const turnId = await ask({});
    for (const request of [undefined, {}, BOB, MIA]) expect(await idsOf(request, OF_EVERYONE)).toEqual([]);
    expect((await turns.decide(turnId, approve(1), {}))?.text).toBe('Paid.');
  });

  it('are still listed when the request that decided about another call has failed', async () => {
    const both: ScriptEntry = { toolCalls: [...pay(1).toolCalls, ...pay(13).toolCalls] };
    const { ask, turns, idsOf } = await start([both], create(), { throwExceptionOnError: true });
    const turnId = await ask(ANN);
    await expect(turns.decide(turnId, approve(13), ANN)).rejects.toThrow('no luck');
    expect(await idsOf(ANN)).toEqual([turnId]);
  });

  it('refuse the decision of others, of unknown calls, and a second one', async () => {
    const { ask, turns, bank } = await start([pay(1), 'Paid.'], create());
    const turnId = await ask(ANN);
    await expect(turns.decide(turnId, approve(1), BOB)).rejects.toMatchObject({ problem: 'forbidden' });
    await expect(turns.decide(turnId, approve(2), ANN)).rejects.toMatchObject({ problem: 'not-found' });
    await expect(turns.decide('unknown', approve(1), ANN)).rejects.toMatchObject({ problem: 'not-found' });
    const decisions = await Promise.allSettled([
      turns.decide(turnId, approve(1), ANN),
      turns.decide(turnId, approve(1), ANN),
    ]);
    expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(bank.paid).toEqual([1]);
  });
});

it('does not list a turn whose results come from outside', async () => {
  const order: ScriptEntry = { toolCalls: [toolCall('order', {}, 'call')] };
  const { ask, idsOf } = await start([order], new InMemoryTurnJournal());
  await ask(ANN);
  expect(await idsOf(ANN)).toEqual([]);
});

it('leaves out a turn whose client the application does not have, and names the client to users who may read the turn', async () => {
  const repository = new InMemorySuspendedTurnRepository();
  const { ask } = await start([pay(1)], repository);
  const turnId = await ask(ANN);
  const found = repository.findById(turnId)!;
  const { turns, idsOf } = await start(
    [],
    Object.assign(repository, { findById: () => ({ ...found, client: 'sales' }) }),
  );
  expect(await idsOf(ANN)).toEqual([]);
  await expect(turns.decide(turnId, approve(1), ANN)).rejects.toThrow(/belongs to 'sales', which is no client of this/);
  await expect(turns.decide(turnId, approve(1), BOB)).rejects.toMatchObject({ problem: 'forbidden' });
});

it('continues with the client of its own AiModule', async () => {
  const inside = new ScriptedChatModel(['wrong']);
  @Module({ imports: [AiModule.forRoot({ chatModel: inside, isGlobal: false })] })
  class Inside {}
  const { app } = await startApplication({ imports: [Inside], providers: [Bank] }, [pay(1), 'Paid.']);
  const [first] = [...app.get(ModulesContainer).values()].filter(({ metatype }) => metatype === AiModule);
  const own = <T>(token: Type<T>): T => first!.getProviderByKey<T>(token).instance;
  const asked = await own(ChatClient).prompt('Pay').request(ANN).call().chatResponse();
  expect((await own(SuspendedTurns).decide(asked!.turnId!, approve(1), ANN))?.text).toBe('Paid.');
  expect(inside.prompts).toEqual([]);
});

it('a list does not change which turn is the oldest, and is deleted first', async () => {
  const { ask, idsOf } = await start([pay(1), pay(2), pay(3)], new InMemorySuspendedTurnRepository({ maxTurns: 2 }));
  const ids = [await ask(ANN), await ask(ANN)];
  await idsOf(ANN);
  ids.push(await ask(ANN));
  expect(await idsOf(ANN)).toEqual([ids[2], ids[1]]);
});
