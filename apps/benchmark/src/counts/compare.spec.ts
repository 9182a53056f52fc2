import { describe, expect, it } from '@jest/globals';
import { compare } from './compare.js';

const known = { turn: { promises: 27, objects: 200, bytes: 14_000, keptBytes: 10, leakedBytes: 0 } };
const withCounts = (counts: object) => ({ turn: { ...known.turn, ...counts } });

describe('the comparison of counts', () => {
  it('has nothing to say of the same counts, and of a little more', () => {
    expect(compare(known, known)).toEqual({ worse: [], better: [] });
    expect(compare(known, withCounts({ objects: 205, bytes: 14_400, keptBytes: 100 }))).toEqual({
      worse: [],
      better: [],
    });
  });

  it('names what has become more, promise by promise', () => {
    expect(compare(known, withCounts({ promises: 28, keptBytes: 2500 })).worse).toEqual([
      'turn: 28.0 promises a turn instead of 27.0',
      'turn: 2500.0 keptBytes a turn instead of 10.0',
    ]);
  });

  it('names what has become less', () => {
    expect(compare(known, withCounts({ objects: 150 })).better).toEqual([
      'turn: 150.0 objects a turn instead of 200.0',
    ]);
  });

  it('does not believe in a turn that makes next to nothing, and sees what leaks', () => {
    expect(compare(known, withCounts({ promises: 2 })).worse).toEqual([
      'turn: 2.0 promises a turn instead of 27.0: is it still done?',
    ]);
    expect(compare(known, withCounts({ leakedBytes: 40 })).worse).toHaveLength(1);
  });

  it('tells of jobs that are gone, and of new ones', () => {
    expect(compare(known, { other: known.turn }).worse).toEqual([
      "'turn' is not counted any more",
      "'other' is new: nothing is known of it",
    ]);
  });
});
