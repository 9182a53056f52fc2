import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  AlwaysEvictStrategy,
  CompositeEvictionStrategy,
  LruEvictionStrategy,
  NeverEvictStrategy,
  TtlEvictionStrategy,
} from './tool-index-eviction-strategy.js';

describe('forgetting sessions', () => {
  it('never happens by itself with NeverEvictStrategy', () => {
    expect(NeverEvictStrategy.INSTANCE.onAccess('a')).toEqual([]);
    NeverEvictStrategy.INSTANCE.onRemoved('a');
    expect(new NeverEvictStrategy().onAccess('a')).toEqual([]);
  });

  it('happens to the session itself at each turn with AlwaysEvictStrategy', () => {
    const always = new AlwaysEvictStrategy();
    expect(always.onAccess('a')).toEqual(['a']);
    always.onRemoved('a');
    expect(new CompositeEvictionStrategy(always, new LruEvictionStrategy(9)).onAccess('a')).toEqual(['a']);
  });
});

describe('LruEvictionStrategy', () => {
  it('names those that were used longest ago when there are too many', () => {
    const lru = new LruEvictionStrategy(2);
    expect([lru.onAccess('a'), lru.onAccess('b'), lru.onAccess('a'), lru.onAccess('a')]).toEqual([[], [], [], []]);
    expect(lru.onAccess('c')).toEqual(['b']);
  });

  it('does not name a session that is gone already', () => {
    const lru = new LruEvictionStrategy(2);
    for (const id of ['a', 'b']) lru.onAccess(id);
    lru.onRemoved('a');
    expect(lru.onAccess('c')).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN])('cannot keep %p sessions', (maxSessions) => {
    expect(() => new LruEvictionStrategy(maxSessions)).toThrow('maxSessions must be a whole number greater than 0');
  });
});

describe('TtlEvictionStrategy', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('names sessions that were not used for the time, when another one is used', () => {
    const ttl = new TtlEvictionStrategy(1000);
    ttl.onAccess('a');
    jest.advanceTimersByTime(600);
    expect(ttl.onAccess('b')).toEqual([]);
    jest.advanceTimersByTime(600);
    expect(ttl.onAccess('c')).toEqual(['a']);
  });

  it('does not name the session that is used, however long it was idle, nor one that is gone', () => {
    const ttl = new TtlEvictionStrategy(1000);
    ttl.onAccess('a');
    ttl.onAccess('b');
    ttl.onRemoved('b');
    jest.advanceTimersByTime(5000);
    expect(ttl.onAccess('a')).toEqual([]);
  });

  it.each([0, -5, Number.NaN])('cannot keep sessions for %p milliseconds', (time) => {
    expect(() => new TtlEvictionStrategy(time)).toThrow('timeToLive must be a number of milliseconds greater than 0');
  });
});

describe('CompositeEvictionStrategy', () => {
  it('names what any of its strategies names, each once, and tells all of those that are gone', () => {
    const strategies = [new LruEvictionStrategy(1), new LruEvictionStrategy(1), new LruEvictionStrategy(2)];
    const composite = new CompositeEvictionStrategy(...strategies);
    expect(composite.onAccess('a')).toEqual([]);
    expect(composite.onAccess('b')).toEqual(['a']);
    composite.onRemoved('a');
    composite.onRemoved('b');
    expect(strategies.map((strategy) => strategy.onAccess('c'))).toEqual([[], [], []]);
  });

  it('needs at least one', () => {
    expect(() => new CompositeEvictionStrategy()).toThrow('needs at least one strategy');
  });
});
