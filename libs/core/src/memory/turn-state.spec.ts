import { describe, expect, it } from '@jest/globals';
import type { ToolCall } from '../model/messages.js';
import type { TurnEntry } from './turn-entry.js';
import { BLANK_TURN, TurnState } from './turn-state.js';

const call = (id: string, args = '{}'): ToolCall => ({ id, name: 'pay', arguments: args });
const asks = (...toolCalls: ToolCall[]) => ({ role: 'assistant' as const, text: '', toolCalls });
const said = { role: 'user' as const, text: 'Pay' };
const response = (id: string, responseData: string) => ({ id, name: 'pay', responseData });
const BEGUN: TurnEntry = { kind: 'begun', messages: [said], options: { model: 'm' }, context: {} };
const answered = (from: number, message: ReturnType<typeof asks>, isFinal?: true): TurnEntry => ({
  kind: 'answered',
  from,
  messages: [message],
  response: { metadata: {} },
  round: 0,
  usageByRound: [],
  ...(isFinal && { isFinal }),
});

function stateOf(...entries: TurnEntry[]): TurnState {
  const state = new TurnState({ ...BLANK_TURN, id: 't', revision: 0 });
  for (const entry of entries) state.apply(entry);
  return state;
}

describe('the state of a turn', () => {
  it('is that of a turn that asks the model after its begin', () => {
    const { record, status } = stateOf(BEGUN);
    expect({ status, phase: record.phase, messages: record.messages, pending: record.pending }).toEqual({
      status: 'running',
      phase: 'asking',
      messages: [said],
      pending: [],
    });
  });

  it('has the results of calls that ended, and the open ones as uncertain', () => {
    const { record } = stateOf(
      BEGUN,
      answered(1, asks(call('a'), call('b'), call('c'))),
      { kind: 'call-began', call: call('a', '{"x":1}') },
      { kind: 'call-began', call: call('b') },
      { kind: 'call-ended', response: response('a', 'done') },
    );
    expect(record.begun).toEqual(['b']);
    expect(record.pending).toEqual([call('b')]);
    expect(record.messages).toEqual([
      said,
      asks(call('a', '{"x":1}'), call('b'), call('c')),
      { role: 'tool', responses: [response('a', 'done')] },
    ]);
  });

  it('of a long tool: waits for a worker, and may have run when the worker dies', () => {
    const waits = { ...call('a'), deferred: true } as const;
    const entries: TurnEntry[] = [
      BEGUN,
      answered(1, asks(call('a'))),
      {
        kind: 'suspended',
        from: 1,
        messages: [asks(call('a'))],
        pending: [waits],
        inputs: { a: { request: { message: '' }, deferred: true, queue: 'reports' } },
        context: {},
      },
    ];
    const waiting = stateOf(...entries);
    expect(waiting).toMatchObject({ status: 'queued', queue: 'reports' });
    expect(waiting.record.begun).toBeUndefined();
    const died = stateOf(...entries, { kind: 'call-began', call: call('a') });
    expect(died).toMatchObject({ status: 'running', queue: undefined });
    expect(died.record).toMatchObject({ pending: [call('a')], begun: ['a'] });
    expect(died.record.pending[0]).not.toHaveProperty('deferred');
    expect(died.record.inputs).toBeUndefined();
  });

  it('forgets a call that was withdrawn', () => {
    const state = stateOf(
      BEGUN,
      answered(1, asks(call('a'))),
      { kind: 'call-began', call: call('a') },
      { kind: 'call-withdrawn', callId: 'a' },
    );
    expect(state.record).toMatchObject({ pending: [] });
    expect(state.record.begun).toBeUndefined();
  });

  it('continues after the responses, or replaces messages from an index on', () => {
    const first = [BEGUN, answered(1, asks(call('a'))), { kind: 'call-ended', response: response('a', '1') }] as const;
    const roles = (state: TurnState): unknown => state.messages.map(({ role }) => role);
    expect(roles(stateOf(...first, answered(3, asks(call('b')))))).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(roles(stateOf(...first, answered(1, asks(call('b')))))).toEqual(['user', 'assistant', 'tool']);
  });

  it('waits for calls, keeps decisions until the model has answered', () => {
    const suspended: TurnEntry = { kind: 'suspended', from: 2, messages: [], pending: [call('a')], context: {} };
    const approved: TurnEntry = { kind: 'approved', decisions: [{ toolCallId: 'a', approved: true }], approver: 'ann' };
    const entries = [BEGUN, answered(1, asks(call('a'))), suspended];
    expect(stateOf(...entries).status).toBe('suspended');
    expect(stateOf(...entries).record.pending).toEqual([call('a')]);
    const decided = stateOf(...entries, approved);
    expect(decided.status).toBe('running');
    expect(decided.record.decisions).toMatchObject([{ approver: 'ann' }]);
    expect(stateOf(...entries, approved, answered(3, asks(), true)).record).toMatchObject({ phase: 'answered' });
    expect(stateOf(...entries, approved, answered(3, asks(), true)).record.decisions).toBeUndefined();
  });

  it('is the same after it was stored as one record', () => {
    const state = stateOf(
      BEGUN,
      answered(1, asks(call('a'), call('b'))),
      { kind: 'call-ended', response: response('a', 'done') },
      { kind: 'suspended', from: 2, messages: [], pending: [call('b')], context: { user: 'u' } },
    );
    expect(new TurnState({ ...state.record, revision: 4 }).record).toEqual(state.record);
  });

  it('takes ids that a model chose for keys of objects', () => {
    const state = stateOf(BEGUN, answered(1, asks(call('__proto__'))), {
      kind: 'call-began',
      call: call('__proto__'),
      approval: { approver: 'ann' },
    });
    expect(Object.keys(state.record.approvals!)).toEqual(['__proto__']);
    expect(JSON.parse(JSON.stringify(state.record))).toMatchObject({ begun: ['__proto__'] });
  });

  it('stays as it is before an entry of a newer version, and says which one that is', () => {
    const newer = [{ kind: 'paused' }, { kind: 'resumed' }] as unknown as TurnEntry[];
    const state = stateOf(BEGUN, ...newer, { kind: 'call-ended', response: response('a', 'done') }, { kind: 'ended' });
    expect(state.unknownEntry).toBe('paused');
    expect(state.status).toBe('running');
    expect(state.record).toEqual(stateOf(BEGUN).record);
    expect(stateOf(BEGUN).unknownEntry).toBeUndefined();
  });
});
