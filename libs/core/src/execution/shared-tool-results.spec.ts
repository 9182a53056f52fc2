import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ToolResult } from '../model/tool-result.js';
import { SharedToolResults } from './shared-tool-results.js';
import { type ToolResultClaim, ToolResultStore } from './tool-result-store.js';

class MapStore extends ToolResultStore {
  readonly results = new Map<string, string>();
  readonly claims = new Set<string>();
  error: Error | undefined;

  async get(key: string): Promise<string | undefined> {
    if (this.error) throw this.error;
    return this.results.get(key);
  }

  async set(key: string, json: string): Promise<void> {
    if (this.error) throw this.error;
    this.results.set(key, json);
  }

  async claim(key: string): Promise<ToolResultClaim | undefined> {
    if (this.error) throw this.error;
    if (this.claims.has(key)) return undefined;
    this.claims.add(key);
    return { release: async () => void this.claims.delete(key) };
  }
}

const signal = new AbortController().signal;

/** A tool in several processes. */
function processes({ store = new MapStore(), identity = 'Stock.find()' } = {}) {
  let runs = 0;
  const create = () => {
    const results = new SharedToolResults(store, 'find', identity, 60_000);
    return (key: readonly unknown[], work: (run: number) => unknown = (run) => run, until = signal) =>
      results.get(key, async () => work(++runs), until);
  };
  return { store, one: create(), other: create(), runs: () => runs };
}

function warningsOf(): string[] {
  const warnings: string[] = [];
  Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (text: string) => warnings.push(text) });
  return warnings;
}

afterEach(() => Logger.overrideLogger(false));

describe('results that processes share', () => {
  it('are computed once, by one of them', async () => {
    const { one, other, runs, store } = processes();
    const slow = async (run: number) => {
      await sleep(20);
      return { run };
    };
    const results = await Promise.all([one(['a'], slow), other(['a'], slow), other(['b'], slow)]);
    expect([results[0], results[1]]).toEqual([{ run: 1 }, { run: 1 }]);
    expect(await other(['a'])).toEqual({ run: 1 });
    expect(runs()).toBe(2);
    expect(store.claims.size).toBe(0);
  });

  it('differ by the tool and by all that they depend on', async () => {
    const store = new MapStore();
    const { one } = processes({ store });
    const { one: another } = processes({ store, identity: 'Shop.find()' });
    const results = [await one(['a', 'ann']), await one(['a', 'bob']), await another(['a', 'ann'], () => 'shop')];
    expect(results).toEqual([1, 2, 'shop']);
  });

  it('show nothing of the call in their keys', async () => {
    const { one, store } = processes();
    await one(['secret']);
    expect([...store.results.keys()]).toEqual([expect.stringMatching(/^[\da-f]{64}$/)]);
  });

  it('are not stored after a failure, and the next process computes them', async () => {
    const { one, other, runs, store } = processes();
    const failing = one(['a'], async () => {
      await sleep(20);
      throw new Error('down');
    });
    const failed = new ToolResult({ text: 'failed', isError: true });
    const waiting = other(['a'], () => failed);
    await expect(failing).rejects.toThrow('down');
    expect(await waiting).toBe(failed);
    expect(await one(['a'])).toBe(3);
    expect(runs()).toBe(3);
    expect(store.claims.size).toBe(0);
  });

  it('do not wait for themselves inside the call that computes them', async () => {
    const { one } = processes();
    expect(await one(['a'], async () => `around ${String(await one(['a'], () => 'inner'))}`)).toBe('around inner');
  });

  it('stay in the process if their key or the result is not plain data, with one warning each', async () => {
    const warnings = warningsOf();
    const { one, store } = processes();
    class Request {}
    await one([new Request()]);
    await one([new Request()]);
    expect(await one(['a'], () => new Date(0))).toEqual(new Date(0));
    await one(['b'], () => new Date(0));
    expect(store.results.size).toBe(0);
    expect(store.claims.size).toBe(0);
    expect(warnings).toEqual([
      expect.stringContaining("results of the tool 'find' are not shared with other processes, since its arguments"),
      expect.stringContaining('since a result is not plain data'),
    ]);
  });

  it('are computed while the store fails, with one warning until it works again', async () => {
    const warnings = warningsOf();
    const { one, store } = processes();
    store.error = new Error('the password is hunter2');
    expect([await one(['a']), await one(['a'])]).toEqual([1, 2]);
    store.error = undefined;
    expect([await one(['a']), await one(['a'])]).toEqual([3, 3]);
    store.error = new Error('again');
    await one(['b']);
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toContain("The results of the tool 'find' are not shared with other processes until");
    expect(warnings.join()).not.toContain('hunter2');
  });

  it('are computed if the stored one cannot be read', async () => {
    warningsOf();
    const { one, other, store } = processes();
    await one(['a']);
    for (const key of store.results.keys()) store.results.set(key, '{"val');
    expect(await other(['a'])).toBe(2);
  });

  it('are no longer waited for after the call was given up', async () => {
    const { one, other, runs, store } = processes();
    const caller = new AbortController();
    let finish = (_result: string): void => undefined;
    const running = one(['a'], () => new Promise((resolve) => (finish = resolve)));
    const waiting = other(['a'], undefined, caller.signal);
    await sleep(20);
    caller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    finish('done');
    expect(await running).toBe('done');
    expect(runs()).toBe(1);
    expect(store.claims.size).toBe(0);
  });
});
