import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  AlwaysEvictStrategy,
  CompositeEvictionStrategy,
  LruEvictionStrategy,
  NeverEvictStrategy,
  TtlEvictionStrategy,
} from './tool-index-eviction-strategy.js';

describe('the eviction of sessions', () => {
  it('never happens with NeverEvictStrategy', () => {
    expect(NeverEvictStrategy.INSTANCE.onAccess('a')).toEqual([]);
    NeverEvictStrategy.INSTANCE.onRemoved('a');
    expect(new NeverEvictStrategy().onAccess('a')).toEqual([]);
  });

  it('affects the used session on each turn with AlwaysEvictStrategy', () => {
    const always = new AlwaysEvictStrategy();
    expect(always.onAccess('a')).toEqual(['a']);
    always.onRemoved('a');
    expect(new CompositeEvictionStrategy(always, new LruEvictionStrategy(9)).onAccess('a')).toEqual(['a']);
  });
});

describe('LruEvictionStrategy', () => {
  it('returns the least recently used sessions if there are too many', () => {
    const lru = new LruEvictionStrategy(2);
    expect([lru.onAccess('a'), lru.onAccess('b'), lru.onAccess('a'), lru.onAccess('a')]).toEqual([[], [], [], []]);
    expect(lru.onAccess('c')).toEqual(['b']);
  });

  it('does not return a session that was already removed', () => {
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

  it('does not mind that the clock of the machine is set', () => {
    const ttl = new TtlEvictionStrategy(1000);
    ttl.onAccess('a');
    jest.setSystemTime(5_000_000);
    expect(ttl.onAccess('b')).toEqual([]);
  });

  it('returns expired sessions when another one is used', () => {
    const ttl = new TtlEvictionStrategy(1000);
    ttl.onAccess('a');
    jest.advanceTimersByTime(600);
    expect(ttl.onAccess('b')).toEqual([]);
    jest.advanceTimersByTime(600);
    expect(ttl.onAccess('c')).toEqual(['a']);
  });

  it('does not return the used session, however long it was idle, nor a removed one', () => {
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
  it('returns the sessions of all its strategies, each once, and notifies all of them of removals', () => {
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
