import { describe, expect, it } from '@jest/globals';
import type { ToolLabels } from '../../model/tool-labels.js';
import { checkPolicies } from '../policies.js';
import { moreCautious } from './labels.js';

describe('labels of a tool from two places', () => {
  it.each<[ToolLabels, ToolLabels, ToolLabels]>([
    [{}, {}, {}],
    [{ effect: 'read' }, {}, { effect: 'read' }],
    [{ effect: 'read' }, { effect: 'write' }, { effect: 'write' }],
    [{ effect: 'irreversible' }, { effect: 'read' }, { effect: 'irreversible' }],
    [{ untrusted: true }, { untrusted: false }, { untrusted: true }],
    [{ untrusted: false }, {}, {}],
    [{ untrusted: true, effect: 'read' }, { effect: 'write' }, { untrusted: true, effect: 'write' }],
    [{ effect: 'final' as never }, { effect: 'irreversible' }, { effect: 'final' as never }],
  ])('are merged to the more cautious ones: %j and %j', (one, other, both) => {
    expect(moreCautious(one, other)).toEqual(both);
    expect(moreCautious(other, one)).toEqual(both);
  });
});

describe('an unknown label', () => {
  it.each([
    [{ effect: 'final' }, 'effect must be read or write or irreversible, but is final.'],
    [{ effect: null }, 'effect must be read or write or irreversible, but is null.'],
    [{ untrusted: 'yes' }, 'untrusted must be true or false, but is yes.'],
  ])('is refused: %j', (labels, message) => {
    expect(() => checkPolicies(labels)).toThrow(new TypeError(message));
  });
});
