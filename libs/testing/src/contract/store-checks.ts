import { randomUUID } from 'node:crypto';
import { assertEqual as check } from './assertions.js';
import type { ContractCase } from './chat-model-contract.js';

/** What a store must do, by the titles of the tests. Each receives what opens the store under test. */
export type StoreCases<Harness> = Readonly<Record<string, (harness: Harness) => Promise<void>>>;

/** The tests of a store. */
export function testsOf<Harness>(cases: StoreCases<Harness>, harness: Harness): readonly ContractCase[] {
  return Object.entries(cases).map(([name, check]) => ({ name, run: () => check(harness) }));
}

/** An id that no other test has, since the store may be shared. */
export const newId = (): string => `contract-${randomUUID()}`;

/** @param what names the value */
export function assertEqual(given: unknown, wanted: unknown, what: string): void {
  check(given, wanted, `The contract checks ${what}`);
}
