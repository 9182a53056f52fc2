import { describe, expect, it } from '@jest/globals';
import type { ContentRedactor, ToolCall, TurnEntry, TurnStatus } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '../journal/in-memory-turn-journal.js';
import { type ApprovalView, TurnEnds } from './turn-ends.js';

const PAY: ToolCall = { id: 'c1', name: 'pay', arguments: '{"card":"4111"}' };
const redactor: ContentRedactor = { redact: (text) => text.replaceAll('4111', '****') };

function endsOf(status: TurnStatus, calls: readonly ToolCall[], view: Partial<ApprovalView> = {}): TurnEnds {
  const message = { role: 'assistant' as const, text: '', toolCalls: calls };
  const asked = { from: 1, messages: [message] };
  const entries: TurnEntry[] = [
    { kind: 'begun', messages: [{ role: 'user', text: 'Pay' }], options: {}, context: {} },
    { kind: 'answered', ...asked, response: { metadata: {} }, round: 0, usageByRound: [] },
    { kind: 'suspended', ...asked, pending: calls, context: {} },
  ];
  const journal = new InMemoryTurnJournal();
  journal.append({ turnId: 't', entries, after: 0, owner: 'w', facts: { status, pendingCallIds: [] } });
  return new TurnEnds(journal, { tokens: undefined, redactor: undefined, ...view });
}

const lastEventOf = async (ends: TurnEnds): Promise<unknown> => (await ends.find('t'))?.toEvent?.();

describe('TurnEnds', () => {
  it('asks for decisions about calls, without their arguments', async () => {
    expect(await lastEventOf(endsOf('suspended', [PAY]))).toEqual({
      type: 'finish',
      finishReason: 'toolApprovalRequired',
      turnId: 't',
      pendingApprovals: [{ id: 'c1', name: 'pay', arguments: '{"hidden":true}' }],
    });
  });

  it('shows what a call asks its user for, redacted', async () => {
    const inputRequest = { message: 'The PIN of 4111?' };
    expect(await lastEventOf(endsOf('suspended', [{ ...PAY, inputRequest }], { redactor }))).toMatchObject({
      pendingApprovals: [{ id: 'c1', inputRequest: { message: 'The PIN of ****?' } }],
    });
  });

  it('says which calls wait for a result, so that nobody is asked', async () => {
    expect(await lastEventOf(endsOf('suspended', [{ ...PAY, deferred: true }]))).toMatchObject({
      pendingApprovals: [{ id: 'c1', deferred: true }],
    });
  });

  it.each<[TurnStatus, unknown]>([
    ['ended', { type: 'finish' }],
    ['failed', undefined],
    ['running', undefined],
    ['queued', undefined],
  ])('end the log of a turn that is %s with %j', async (status, event) => {
    expect(await lastEventOf(endsOf(status, [PAY]))).toEqual(event);
  });
});
