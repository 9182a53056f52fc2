import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolResultStore } from '@nestor-ai/core';
import type { ContractCase } from './chat-model-contract.js';
import { assertEqual, newId, type StoreCases, testsOf } from './store-checks.js';

/** Connects the contract with the store under test. */
export interface ToolResultStoreHarness {
  /**
   * Opens the store as one more process would: all that it returns have the same results. A store
   * in memory may return the same instance. It may have other results.
   */
  open(): ToolResultStore | Promise<ToolResultStore>;
}

const MINUTE = 60_000;
const LONG = JSON.stringify({ value: 'ä"\\\0\ud800😀'.repeat(50_000) });

const CHECKS: StoreCases<ToolResultStoreHarness> = {
  'every process finds a stored result as it was': async ({ open }) => {
    const [store, other] = [await open(), await open()];
    for (const json of ['{"value":1}', '""', LONG]) {
      const key = newId();
      assertEqual(await other.get(key), undefined, 'the result of a key that has none');
      await store.set(key, json, MINUTE);
      assertEqual(await other.get(key), json, 'the stored result');
    }
  },
  'a result replaces the one before': async ({ open }) => {
    const [store, key] = [await open(), newId()];
    await store.set(key, '1', MINUTE);
    await store.set(key, '2', MINUTE);
    assertEqual(await store.get(key), '2', 'the stored result');
    assertEqual(await store.get(newId()), undefined, 'the result of another key');
  },
  'a result is gone after its time': async ({ open }) => {
    const [store, key] = [await open(), newId()];
    await store.set(key, '1', 50);
    await sleep(120);
    assertEqual(await store.get(key), undefined, 'the result after its time');
  },
  'of all processes that want to compute a result, one may': async ({ open }) => {
    const [store, other, key] = [await open(), await open(), newId()];
    const claims = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => (at % 2 ? store : other).claim(key, MINUTE)),
    );
    assertEqual(claims.filter((claim) => claim !== undefined).length, 1, 'the number of claims, of ten at once');
    assertEqual((await store.claim(newId(), MINUTE)) !== undefined, true, 'whether another key can be claimed');
  },
  'a result can be claimed again after its claim was released or has ended': async ({ open }) => {
    const [store, other, key] = [await open(), await open(), newId()];
    await (await store.claim(key, MINUTE))!.release();
    assertEqual((await other.claim(key, 50)) !== undefined, true, 'whether it can be claimed after the release');
    await sleep(120);
    assertEqual((await store.claim(key, MINUTE)) !== undefined, true, 'whether it can be claimed after the lease');
  },
  'a claim that has ended does not release the claim of another process': async ({ open }) => {
    const [store, other, key] = [await open(), await open(), newId()];
    const late = await store.claim(key, 50);
    await sleep(120);
    await other.claim(key, MINUTE);
    await late!.release();
    assertEqual(await store.claim(key, MINUTE), undefined, 'a claim while another process has one');
  },
};

/**
 * What every `ToolResultStore` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeToolResultStore', () => {
 *   for (const { name, run } of toolResultStoreContract({ open: () => new AcmeToolResultStore() })) it(name, run);
 * });
 */
export function toolResultStoreContract(harness: ToolResultStoreHarness): readonly ContractCase[] {
  return testsOf(CHECKS, harness);
}
