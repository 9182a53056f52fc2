import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { ToolCall, TurnEntry } from '@nestor-ai/core';
import { BLANK_TURN, TurnState } from '@nestor-ai/core/internal';

const call = (id: string): ToolCall => ({ id, name: 'pay', arguments: '{}' });
const BEGUN: TurnEntry = { kind: 'begun', messages: [{ role: 'user', text: 'Pay' }], options: {}, context: {} };
const ANSWERED: TurnEntry = {
  kind: 'answered',
  from: 1,
  messages: [{ role: 'assistant', text: '', toolCalls: [call('a'), call('b')] }],
  response: { metadata: {} },
  round: 0,
  usageByRound: [],
};
const ASKED: readonly TurnEntry[] = [BEGUN, ANSWERED];
const BEGAN: TurnEntry = { kind: 'call-began', call: call('a') };
const CALLED: readonly TurnEntry[] = [
  BEGAN,
  { kind: 'call-ended', response: { id: 'a', name: 'pay', responseData: 'paid' } },
  { kind: 'call-withdrawn', callId: 'b' },
];
const APPROVED: TurnEntry = { kind: 'approved', decisions: [{ toolCallId: 'a', approved: true }] };
const FAILED: TurnEntry = { kind: 'failed', errorType: 'Error' };
const ENDED: TurnEntry = { kind: 'ended' };
const QUEUED: TurnEntry = { kind: 'queued', request: {} };

/** @param queue where the calls run as jobs. Without it, they wait for a result or an approval */
function waiting(deferred: boolean, queue?: string): TurnEntry {
  const input = { request: { message: '' }, deferred: true as const, ...(queue !== undefined && { queue }) };
  return {
    kind: 'suspended',
    from: 2,
    messages: [],
    context: {},
    pending: [{ ...call('a'), ...(deferred && { deferred: true as const }) }],
    ...(deferred && { inputs: { a: input } }),
  };
}
const DELIVERED: TurnEntry = { kind: 'delivered', callId: 'a', delivered: { result: 'paid' } };

/** What happens in turns. */
const HISTORIES: readonly (readonly TurnEntry[])[] = [
  [QUEUED, BEGUN, { kind: 'claimed' }, ANSWERED, ...CALLED, ENDED],
  [QUEUED, ENDED],
  [QUEUED, FAILED, QUEUED],
  [...ASKED, waiting(false), { kind: 'claimed' }, BEGAN],
  [...ASKED, waiting(false), FAILED, APPROVED],
  [...ASKED, FAILED, waiting(false)],
  [...ASKED, waiting(false), APPROVED, ...CALLED, ENDED],
  [...ASKED, waiting(false), ENDED],
  [...ASKED, waiting(true), DELIVERED, ENDED],
  [...ASKED, waiting(true, 'jobs'), BEGAN],
  [...ASKED, waiting(true, 'jobs'), DELIVERED],
  [...ASKED, waiting(true, 'jobs'), APPROVED],
  [...ASKED, FAILED, { kind: 'claimed' }, ANSWERED],
  [...ASKED, FAILED, BEGAN],
  [...ASKED, FAILED, ENDED],
];

/** Each change of the state: `running --> suspended: suspended`. */
function changesIn(history: readonly TurnEntry[]): string[] {
  const state = new TurnState({ ...BLANK_TURN, id: 't', revision: 0 });
  let before = '[*]';
  return history.flatMap((entry) => {
    state.apply(entry);
    const from = before;
    before = state.status;
    return from === before ? [] : [`${from} --> ${before}: ${entry.kind}`];
  });
}

it('ARCHITECTURE.md draws every change of the state of a stored turn', () => {
  const [, drawn = ''] = /```mermaid\nstateDiagram-v2\n([^`]+)```/.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  const arrows = drawn
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [arrow, kinds = ''] = line.trim().split(': ');
      return kinds.split(', ').map((kind) => `${arrow}: ${kind}`);
    });
  expect(arrows.toSorted()).toEqual([...new Set(HISTORIES.flatMap(changesIn))].toSorted());
});
