import { describe, expect, it } from '@jest/globals';
import { callApprovalsOf } from './call-approvals.js';

const asked = [
  { id: 'c1', name: 'pay', arguments: '{"amount":100}' },
  { id: 'c2', name: 'pay', arguments: '{"amount":200}' },
];

describe('callApprovalsOf', () => {
  it('has the approver and the model’s arguments', () => {
    const known = callApprovalsOf(
      asked,
      [
        { toolCallId: 'c1', approved: true, arguments: { amount: 10 } },
        { toolCallId: 'c2', approved: true, arguments: '{"amount":200}' },
      ],
      () => 'ann',
    );
    expect(known.get('c1')).toEqual({ approver: 'ann', modelArguments: '{"amount":100}' });
    expect(known.get('c2')).toEqual({ approver: 'ann' });
    expect(known.get('c3')).toBeUndefined();
  });

  it('keeps the approval of an interrupted call unless there is a new decision', () => {
    const earlier = {
      c1: { approver: 'ann', modelArguments: '{"amount":1}' },
      c2: { approver: 'ann', modelArguments: '{"amount":2}' },
    };
    const known = callApprovalsOf(asked, [{ toolCallId: 'c2', approved: true, replay: true }], () => 'bob', earlier);
    expect(known.get('c1')).toEqual(earlier.c1);
    expect(known.get('c2')).toEqual({ approver: 'bob', modelArguments: '{"amount":2}' });
  });

  it('has no approver if the application has none', () => {
    expect(callApprovalsOf(asked, [{ toolCallId: 'c1', approved: false }]).get('c1')).toEqual({});
  });
});
