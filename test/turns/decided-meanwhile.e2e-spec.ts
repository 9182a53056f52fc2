import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, AiShutdownException, ChatClient, SuspendedTurnRepository, Tool, ToolContext } from '@nestor-ai/core';
import { UsageBudgetAdvisor } from '@nestor-ai/advisors';
import { AiTurnsModule, DeferredResults, InMemoryTurnJournal, TurnQueue, TurnRunner } from '@nestor-ai/turns';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { until } from '../until.js';

@Injectable()
class Bank {
  readonly keys = new Map<string, string>();
  readonly done: string[] = [];
  /** What a slow call waits for. */
  gate: Promise<void> | undefined;

  @Tool({ description: 'Pays', needsApproval: true })
  pay(): string {
    this.done.push('pay');
    return 'paid';
  }

  @Tool({ description: 'Refunds', needsApproval: true })
  refund(): string {
    this.done.push('refund');
    return 'refunded';
  }

  @Tool({ description: 'Waits', needsApproval: true, replaySafe: true })
  async wait(): Promise<string> {
    await this.gate;
    this.done.push('wait');
    return 'waited';
  }

  @Tool({ description: 'Writes a report' })
  report(context: ToolContext): string {
    this.keys.set('report', context.idempotencyKey);
    return context.defer();
  }

  @Tool({ description: 'Writes a letter' })
  letter(context: ToolContext): string {
    return context.defer();
  }
}

@Module({ providers: [Bank], exports: [Bank] })
class BankModule {}

@Injectable()
class NoQueue extends TurnQueue {
  add(): void {}
}

const applications: INestApplicationContext[] = [];

afterEach(async () => {
  for (const application of applications.splice(0)) await application.close();
});

const USAGE = { promptTokens: 90, completionTokens: 10, totalTokens: 100 };

/** A turn that waits for these calls, `c0`, `c1` and so on. */
async function waiting(...calls: string[]) {
  const toolCalls = calls.map((name, at) => toolCall(name, {}, `c${at}`));
  const application = await Test.createTestingModule({
    imports: [
      BankModule,
      AiModule.forRoot({
        chatModel: new ScriptedChatModel([{ toolCalls, usage: USAGE }, 'Done.']),
        providers: [
          ...AiTurnsModule.providers(),
          { provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() },
          { provide: TurnQueue, useClass: NoQueue },
        ],
      }),
    ],
  }).compile();
  await application.init();
  applications.push(application);
  const client = application.get(ChatClient);
  const turnId = String((await client.prompt('Go').call().chatResponse())!.metadata['turnId']);
  const [bank, runner] = [application.get(Bank), application.get(TurnRunner)];
  return {
    bank,
    approve: (toolCallId: string) =>
      client
        .prompt()
        .toolApprovals([{ toolCallId, approved: true }], { turnId })
        .enqueue(),
    /** Decides about calls, and continues the turn at once. */
    decide: (...toolCallIds: string[]) => {
      const approvals = toolCallIds.map((toolCallId) => ({ toolCallId, approved: true }));
      return client.prompt().toolApprovals(approvals, { turnId }).call().content();
    },
    deliver: () => application.get(DeferredResults).deliver(bank.keys.get('report')!, 'May'),
    next: async () => (await runner.prepare(turnId)).next,
    prepare: async () => {
      const prepared = await runner.prepare(turnId);
      if (prepared.next !== 'run') throw new Error(`The worker does ${prepared.next}.`);
      return prepared.request;
    },
  };
}

describe('a turn with an approved call', () => {
  it('goes on if the result of another call comes before its worker, while a third one waits', async () => {
    const { bank, approve, deliver, prepare } = await waiting('pay', 'report', 'letter');
    await approve('c0');
    await deliver();
    await (await prepare()).call().content();
    expect(bank.done).toEqual(['pay']);
  });

  it('keeps what comes at once: decisions about two calls, and the result of a third one', async () => {
    const { bank, approve, deliver, prepare } = await waiting('pay', 'refund', 'report', 'letter');
    await Promise.all([approve('c0'), deliver(), approve('c1')]);
    await expect(Promise.all([approve('c0'), approve('c1')])).rejects.toMatchObject({ problem: 'conflict' });
    await (await prepare()).call().content();
    expect(bank.done).toEqual(['pay', 'refund']);
  });

  it('goes on if that result comes between its worker and the request', async () => {
    const { bank, approve, deliver, prepare } = await waiting('pay', 'report', 'letter');
    await approve('c0');
    const request = await prepare();
    await deliver();
    await request.call().content();
    expect(bank.done).toEqual(['pay']);
  });

  it('waits again if it is stopped before the call runs', async () => {
    const { approve, next, prepare } = await waiting('pay');
    await approve('c0');
    const overBudget = new UsageBudgetAdvisor({ turn: { tokens: 50 } });
    await (await prepare()).advisors(overBudget).call().content();
    expect(await next()).toBe('nothing');
  });

  it('also has what is approved between its worker and the request', async () => {
    const { bank, approve, prepare } = await waiting('pay', 'refund');
    await approve('c0');
    const request = await prepare();
    await approve('c1');
    expect(await request.call().content()).toBe('Done.');
    expect(bank.done.toSorted()).toEqual(['pay', 'refund']);
  });

  it('keeps what was approved before, if somebody decides about another call before the worker', async () => {
    const { bank, approve, decide } = await waiting('pay', 'refund');
    await approve('c0');
    expect(await decide('c1')).toBe('Done.');
    expect(bank.done.toSorted()).toEqual(['pay', 'refund']);
  });

  it('goes on after its worker has ended in the middle, while another call waits for a decision', async () => {
    const { bank, approve, decide, prepare } = await waiting('pay', 'wait', 'refund');
    await approve('c0');
    await approve('c1');
    bank.gate = new Promise(() => {});
    const shutdown = new AbortController();
    const request = (await prepare()).options({ signal: shutdown.signal });
    const answered = request.call().content();
    await until(() => bank.done.includes('pay'));
    shutdown.abort(new AiShutdownException());
    await expect(answered).rejects.toThrow(AiShutdownException);
    bank.gate = undefined;
    await (await prepare()).call().content();
    expect(bank.done).toEqual(['pay', 'wait']);
    expect(await decide('c2')).toBe('Done.');
    expect(bank.done).toEqual(['pay', 'wait', 'refund']);
  });
});
