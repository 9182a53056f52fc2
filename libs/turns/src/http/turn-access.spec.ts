import { describe, expect, it, jest } from '@jest/globals';
import { ForbiddenException, NotFoundException } from '@nestjs/common';
import { ApprovalPolicy, ChatMemory, type TurnAccess, TurnPrincipal } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '../journal/in-memory-turn-journal.js';
import type { TurnFacts } from '../journal/journaled-turn.js';
import { TurnAccessGate } from './turn-access.js';

const ANN = { user: { id: 'ann' } };

function gateOf(policy = new ApprovalPolicy(), facts: Partial<TurnFacts> = { requester: 'ann' }): TurnAccessGate {
  const journal = new InMemoryTurnJournal();
  const all: TurnFacts = { status: 'queued', conversationId: 'c', pendingCallIds: [], ...facts };
  journal.append({ turnId: 't', entries: [{ kind: 'queued', request: {} }], after: 0, owner: 'w', facts: all });
  return new TurnAccessGate(journal, policy, new TurnPrincipal());
}

class Policy extends ApprovalPolicy {
  readonly asked: TurnAccess[] = [];

  constructor(private readonly answer: () => unknown) {
    super();
  }

  override authorize(access: TurnAccess): boolean {
    this.asked.push(access);
    return this.answer() as boolean;
  }
}

describe('TurnAccessGate', () => {
  it.each(['read', 'stop'] as const)('lets only the requester %s a turn', async (action) => {
    const gate = gateOf();
    await gate.check('t', action, ANN);
    for (const request of [{ user: { id: 'bob' } }, {}, undefined])
      await expect(gate.check('t', action, request)).rejects.toThrow(NotFoundException);
  });

  it('asks the policy with the action and the turn', async () => {
    const policy = new Policy(() => true);
    await gateOf(policy).check('t', 'stop', ANN);
    expect(policy.asked).toMatchObject([{ action: 'stop', caller: 'ann', request: ANN, turn: { id: 't' } }]);
  });

  it.each<[string, () => unknown]>([
    ['refuses', () => false],
    ['returns something else', () => 'yes'],
    [
      'throws a ForbiddenException',
      () => {
        throw new ForbiddenException('not your turn');
      },
    ],
  ])('gives the answer for an unknown turn if the policy %s', async (_what, answer) => {
    const gate = gateOf(new Policy(answer));
    const unknown = await gate.check('unknown', 'read', ANN).catch((error: unknown) => error);
    await expect(gate.check('t', 'read', ANN)).rejects.toEqual(unknown);
  });

  it('reports a policy that is broken', async () => {
    const broken = new Policy(() => {
      throw new TypeError('no database');
    });
    await expect(gateOf(broken).check('t', 'read', ANN)).rejects.toThrow('no database');
  });

  it('hides a turn of an unknown user, whatever the policy says', async () => {
    const gate = gateOf(new Policy(() => true), {});
    await expect(gate.check('t', 'read', undefined)).rejects.toThrow(NotFoundException);
    expect(await gate.runningTurnOf('c', undefined)).toBeUndefined();
  });

  it('reads no entries of a turn to find out who may access it', async () => {
    const read = jest.spyOn(InMemoryTurnJournal.prototype, 'read');
    const policy = new Policy(() => false);
    const gate = gateOf(policy, { requester: 'ann', client: 'shop', pendingCallIds: ['call'] });
    await expect(gate.check('t', 'read', ANN)).rejects.toThrow(NotFoundException);
    expect(await gate.runningTurnOf('c', ANN)).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
    const known = { id: 't', requester: 'ann', client: 'shop', context: { [ChatMemory.CONVERSATION_ID]: 'c' } };
    expect(policy.asked[0]!.turn).toMatchObject({ ...known, messages: [], pending: [] });
  });

  it('finds the turn of a requester among many turns of others in the conversation', async () => {
    const journal = new InMemoryTurnJournal();
    const begin = (turnId: string, facts: Partial<TurnFacts>): boolean =>
      journal.append({
        turnId,
        entries: [{ kind: 'queued', request: {} }],
        after: 0,
        owner: 'w',
        facts: { status: 'running', conversationId: 'c', pendingCallIds: [], ...facts },
      });
    begin('own', { requester: 'ann' });
    begin('waiting', { requester: 'ann', status: 'queued' });
    for (let index = 0; index < 25; index++) begin(`foreign ${index}`, { requester: 'bob' });
    const gate = new TurnAccessGate(journal, new ApprovalPolicy(), new TurnPrincipal());
    expect(await gate.runningTurnOf('c', ANN)).toBe('own');
    const everything = new TurnAccessGate(journal, new Policy(() => true), new TurnPrincipal());
    expect(await everything.runningTurnOf('c', { user: { id: 'admin' } })).toMatch(/^foreign/);
  });

  it('finds the running turn of a conversation for its requester', async () => {
    expect(await gateOf().runningTurnOf('c', ANN)).toBe('t');
    expect(await gateOf().runningTurnOf('c', { user: { id: 'bob' } })).toBeUndefined();
    expect(await gateOf().runningTurnOf('other', ANN)).toBeUndefined();
    const suspended = gateOf(new ApprovalPolicy(), { requester: 'ann', status: 'suspended' });
    expect(await suspended.runningTurnOf('c', ANN)).toBeUndefined();
  });
});
