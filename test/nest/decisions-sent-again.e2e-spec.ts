import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  ChatMemory,
  InMemorySuspendedTurnRepository,
  SuspendedTurnRepository,
  SuspendedTurns,
  Tool,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { lastValueFrom, toArray } from 'rxjs';
import { startApplication } from './application.js';

@Injectable()
class Bank {
  paid = 0;

  @Tool({ needsApproval: true })
  pay(): string {
    this.paid++;
    return 'paid';
  }
}

/** A turn of a conversation whose model fails once, after somebody has decided about a call. */
async function start(repository: SuspendedTurnRepository) {
  const script = [{ toolCalls: [toolCall('pay', {}, 'c')] }, { error: new Error('down') }, 'Done.'];
  const { app, client, model } = await startApplication({ providers: [Bank] }, script, {
    memory: true,
    providers: [{ provide: SuspendedTurnRepository, useValue: repository }],
  });
  const turnId = (await client.prompt('Pay').conversation('chat').call().chatResponse())!.turnId!;
  const decision = (approved: boolean) => [{ toolCallId: 'c', approved, reason: 'I say so' }];
  const turns = app.get(SuspendedTurns);
  return {
    model,
    bank: app.get(Bank),
    remembered: async () => (await app.get(ChatMemory).get('chat')).map(({ text }) => text),
    decide: (approved: boolean) => turns.decide(turnId, decision(approved), {}).then((answer) => answer?.text),
    goOn: () => turns.decide(turnId, [], {}).then((answer) => answer?.text),
    stream: (approved: boolean) => {
      const request = client.prompt().conversation('chat').toolApprovals(decision(approved), { turnId });
      return lastValueFrom(request.stream().events().pipe(toArray()));
    },
  };
}

describe.each([
  ['in memory', () => new InMemorySuspendedTurnRepository()],
  ['in a journal', () => new InMemoryTurnJournal()],
])('After the model has failed, a turn that is stored %s', (_where, create) => {
  it.each([
    [true, { type: 'tool-result', result: 'paid' }],
    [false, { type: 'tool-error', isDenied: true, result: expect.stringContaining('denied, and not run') }],
  ])('goes on if the same decision comes again (approved: %s)', async (approved, told) => {
    const { decide, stream, bank, model, remembered } = await start(create());
    await expect(decide(approved)).rejects.toThrow('down');
    const events = await stream(approved);
    expect(events.filter(({ type }) => type !== 'usage')).toMatchObject([
      told,
      { type: 'text', text: 'Done.' },
      { type: 'finish' },
    ]);
    expect(bank.paid).toBe(approved ? 1 : 0);
    expect(model.lastPrompt!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(await remembered()).toEqual(['Pay', 'Done.']);
  });

  it.each([true, false])('refuses the opposite decision, and goes on without one (approved: %s)', async (approved) => {
    const { decide, goOn, bank } = await start(create());
    await expect(decide(approved)).rejects.toThrow('down');
    await expect(decide(!approved)).rejects.toMatchObject({ problem: 'conflict' });
    expect(await goOn()).toBe('Done.');
    expect(bank.paid).toBe(approved ? 1 : 0);
  });
});
