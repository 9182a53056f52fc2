import { afterEach, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  SuspendedTurns,
  Tool,
  ToolContext,
  type TurnEntry,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import {
  AiTurnsModule,
  DeferredResults,
  InMemoryTurnEventLog,
  InMemoryTurnJournal,
  TurnEventLog,
  TurnQueue,
  TurnStreams,
} from '@nestor-ai/turns';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

@Injectable()
class Shop {
  readonly calls: string[] = [];
  key = '';

  @Tool({ description: 'Pays', needsApproval: true })
  pay(): string {
    this.calls.push('pay');
    return 'paid';
  }

  @Tool({ description: 'Orders' })
  order(context: ToolContext): Promise<string> {
    this.key = context.idempotencyKey;
    return context.defer();
  }
}

class NoQueue extends TurnQueue {
  override add(): Promise<void> {
    return Promise.resolve();
  }
}

let application: INestApplicationContext;

afterEach(async () => {
  await application.close();
});

/** An application with a turn that waits, and that a newer version has changed since. */
async function start() {
  const journal = new InMemoryTurnJournal();
  const model = new ScriptedChatModel([
    { toolCalls: [toolCall('pay', {}, 'c1'), toolCall('order', {}, 'c2')] },
    'Done.',
  ]);
  application = await Test.createTestingModule({
    imports: [
      AiModule.forRoot({
        chatModel: model,
        providers: [
          ...AiTurnsModule.providers(),
          { provide: SuspendedTurnRepository, useValue: journal },
          { provide: TurnEventLog, useValue: new InMemoryTurnEventLog() },
          { provide: TurnQueue, useClass: NoQueue },
        ],
      }),
    ],
    providers: [Shop],
  }).compile();
  await application.init();
  const client = application.get(ChatClient);
  const turnId = String((await client.prompt('Buy').call().chatResponse())!.metadata['turnId']);
  const { entries, status, client: name, pendingCallIds } = journal.read(turnId)!;
  journal.append({
    turnId,
    entries: [{ kind: 'paused' } as unknown as TurnEntry],
    after: entries.length,
    owner: 'newer',
    facts: { status, client: name!, pendingCallIds },
  });
  return { client, journal, model, turnId, shop: application.get(Shop) };
}

const REFUSAL = {
  problem: 'unavailable',
  message: expect.stringMatching(/an entry of the kind 'paused' .* update @nestor-ai\/core in this application\.$/),
};

it('a turn that a newer version of Nestor has changed waits for that version, and says so', async () => {
  const { client, journal, model, turnId, shop } = await start();
  const before = journal.read(turnId)!.entries;
  const decided = client.prompt().toolApprovals([{ toolCallId: 'c1', approved: true }], { turnId });
  await expect(decided.call().content()).rejects.toMatchObject(REFUSAL);
  await expect(decided.enqueue()).rejects.toMatchObject(REFUSAL);
  await expect(application.get(DeferredResults).deliver(shop.key, 1)).rejects.toMatchObject({
    ...REFUSAL,
    problem: 'busy',
  });
  await expect(application.get(TurnStreams).stop(turnId)).rejects.toMatchObject(REFUSAL);
  await expect(application.get(SuspendedTurns).stop(turnId, undefined)).rejects.toMatchObject(REFUSAL);
  expect(await application.get(SuspendedTurns).read(turnId, undefined)).toMatchObject({ unknownEntry: 'paused' });
  expect(journal.read(turnId)!.entries).toEqual(before);
  expect([shop.calls, model.prompts.length]).toEqual([[], 1]);
});
