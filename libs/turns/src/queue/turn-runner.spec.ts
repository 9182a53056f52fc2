import { describe, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { Injectable } from '@nestjs/common';
import {
  AiModule,
  AiShutdownException,
  AroundAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatMemory,
  type NextHandler,
  Ordered,
  RegisterAdvisor,
  SuspendedTurnRepository,
  type TurnEntry,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { until } from '../../../../test/until.js';
import { AiTurnsModule } from '../ai-turns.module.js';
import { InMemoryTurnJournal } from '../journal/in-memory-turn-journal.js';
import { TurnRunner } from './turn-runner.js';

const BEGUN: TurnEntry = { kind: 'begun', messages: [{ role: 'user', text: 'Hi' }], options: {}, context: {} };
/** An advisor inside the loop. */
@Injectable()
@RegisterAdvisor()
class Failing extends AroundAdvisor {
  readonly name = 'Failing';
  override readonly order = Ordered.LOWEST_PRECEDENCE - 100;
  error: Error | undefined;

  around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    return this.error ? Promise.reject(this.error) : next.handle(request);
  }
}

const FACTS = { status: 'running', client: 'default', pendingCallIds: [] } as const;

async function start(...entries: TurnEntry[]) {
  const journal = new InMemoryTurnJournal();
  const status = entries.at(-1)?.kind === 'failed' ? 'failed' : 'running';
  journal.append({ turnId: 't', entries, after: 0, owner: 'first', facts: { ...FACTS, status } });
  const repository = { provide: SuspendedTurnRepository, useValue: journal };
  const providers = [...AiTurnsModule.providers(), repository, Failing];
  const ai = AiModule.forRoot({ chatModel: new ScriptedChatModel(['Hello.']), memory: true, providers });
  const application = await (await Test.createTestingModule({ imports: [ai] }).compile()).init();
  return {
    journal,
    advisor: application.get(Failing),
    memory: application.get(ChatMemory),
    client: application.get(ChatClient),
    runner: application.get(TurnRunner),
    kinds: () => journal.read('t')!.entries.map(({ kind }) => kind),
  };
}

describe('TurnRunner.prepare()', () => {
  it('does not change the turn: the first request that continues it has it', async () => {
    const { journal, runner, kinds } = await start(BEGUN);
    const prepared = await Promise.all([runner.prepare('t'), runner.prepare('t')]);
    expect(kinds()).toEqual(['begun']);
    const asked = prepared.map((one) => (one.next === 'run' ? one.request.call().content() : undefined));
    expect((await Promise.allSettled(asked)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(kinds()).toEqual(['begun', 'claimed', 'answered', 'ended']);
    expect(journal.read('t')).toMatchObject({ status: 'ended' });
  });

  it('goes on with a failed turn that a request has continued, if a shutdown gives it back', async () => {
    const { advisor, client, runner } = await start(BEGUN, { kind: 'failed', errorType: 'Error' });
    expect(await runner.prepare('t')).toEqual({ next: 'nothing' });
    advisor.error = new AiShutdownException();
    await expect(client.prompt().toolApprovals([], { turnId: 't' }).call().content()).rejects.toThrow();
    expect(await runner.prepare('t')).toMatchObject({ next: 'run' });
  });

  it('counts the failures of a turn whose answer no memory takes', async () => {
    const context = { [ChatMemory.CONVERSATION_ID]: 'c' };
    const { memory, runner } = await start({ ...BEGUN, context });
    jest.spyOn(memory, 'add').mockRejectedValue(new Error('The memory is full.'));
    for (let failures = 0; failures < 4; failures++) {
      const prepared = await runner.prepare('t', { isRetried: true });
      expect(prepared).toMatchObject({ next: 'run', failures });
      const asked = prepared.next === 'run' ? prepared.request.conversation('c').call().content() : undefined;
      await expect(asked).rejects.toThrow('The memory is full.');
      await runner.recordFailure('t', new Error('full'), true);
    }
  });

  it('tells of an owner that has died', async () => {
    const { journal, runner } = await start(BEGUN);
    journal.claim('t', 1, 'dead', 1);
    await until(() => journal.read('t')!.lapsedOwner === 'dead');
    expect(await runner.prepare('t')).toMatchObject({ next: 'run', turn: { lapsedOwner: 'dead' } });
  });

  it('leaves a turn alone that only a newer version can continue', async () => {
    const { runner, kinds } = await start(BEGUN, { kind: 'paused' } as unknown as TurnEntry);
    await runner.prepare('t');
    expect(kinds()).toEqual(['begun', 'paused']);
  });
});
