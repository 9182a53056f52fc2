import { describe, expect, it } from '@jest/globals';
import { PostgresException } from '../database/postgres.exception.js';
import { AppendBatches, type AppendStore, type BatchedAppend } from './append-batches.js';

/** A store whose statements end when the test says so. */
class HeldStore implements AppendStore<BatchedAppend> {
  readonly statements: {
    readonly ids: readonly string[];
    readonly end: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];

  store(rows: readonly BatchedAppend[]): Promise<ReadonlySet<string>> {
    const ids = rows.map(({ id }) => id);
    return new Promise((resolve, reject) => {
      this.statements.push({ ids, end: () => resolve(new Set(ids)), fail: reject });
    });
  }

  /** The turns of each statement so far. */
  get sent(): readonly (readonly string[])[] {
    return this.statements.map(({ ids }) => ids);
  }
}

const tick = () => new Promise(setImmediate);

function create() {
  const store = new HeldStore();
  const batches = new AppendBatches(store);
  const append = (id: string, data = '') => batches.append({ id, data });
  return { store, append };
}

describe('AppendBatches', () => {
  it('stores a few appends of the same tick with one statement, in the order of their turns', async () => {
    const { store, append } = create();
    const results = ['c', 'a', 'b'].map((id) => append(id));
    await tick();
    expect(store.sent).toEqual([['a', 'b', 'c']]);
    store.statements[0]!.end();
    expect(await Promise.all(results)).toEqual([true, true, true]);
  });

  it('splits many appends into two statements, and lets others wait until one ends', async () => {
    const { store, append } = create();
    for (let index = 0; index < 40; index++) void append(`t${index}`);
    await tick();
    expect(store.sent.map(({ length }) => length)).toEqual([20, 20]);
    for (let index = 0; index < 30; index++) void append(`u${index}`);
    await tick();
    expect(store.sent).toHaveLength(2);
    store.statements[1]!.end();
    await tick();
    expect(store.sent.map(({ length }) => length)).toEqual([20, 20, 30]);
  });

  it('lets a few appends wait for the statement that is under way', async () => {
    const { store, append } = create();
    void append('a');
    await tick();
    for (let index = 0; index < 9; index++) void append(`b${index}`);
    await tick();
    expect(store.sent).toEqual([['a']]);
    store.statements[0]!.end();
    await tick();
    expect(store.sent.map(({ length }) => length)).toEqual([1, 9]);
  });

  it('never has two appends of a turn under way, and keeps their order', async () => {
    const { store, append } = create();
    const done: string[] = [];
    for (const data of ['1', '2', '3']) void append('a', data).then(() => done.push(data));
    void append('b');
    await tick();
    expect(store.sent).toEqual([['a', 'b']]);
    const others = Array.from({ length: 10 }, (_, index) => `c${index}`);
    for (const id of others) void append(id);
    await tick();
    expect(store.sent.slice(1)).toEqual([others]);
    store.statements[1]!.end();
    await tick();
    // The next append of the turn waits for its first one.
    expect(store.sent).toHaveLength(2);
    store.statements[0]!.end();
    await tick();
    store.statements[2]!.end();
    await tick();
    store.statements[3]!.end();
    await tick();
    expect(store.sent.slice(2)).toEqual([['a'], ['a']]);
    expect(done).toEqual(['1', '2', '3']);
  });

  it('stores appends one by one after an error of a row, and goes on', async () => {
    const { store, append } = create();
    const results = Promise.allSettled([append('a'), append('b')]);
    await tick();
    store.statements[0]!.fail(new PostgresException('one row is invalid', '22000'));
    await tick();
    expect(store.sent.slice(1)).toEqual([['a'], ['b']]);
    store.statements[1]!.end();
    store.statements[2]!.fail(new Error('this one'));
    expect(await results).toMatchObject([{ value: true }, { reason: { message: 'this one' } }]);
    void append('b');
    await tick();
    expect(store.sent.at(-1)).toEqual(['b']);
  });
});
