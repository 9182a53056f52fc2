import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnEntry } from '@nestor-ai/core';
import type { JournaledTurn, TurnAppend, TurnFacts, TurnJournal } from '@nestor-ai/turns';
import { assertEqual, fail } from './assertions.js';

/** Connects the contract with the journal under test. */
export interface TurnJournalHarness {
  /**
   * Opens the journal as one more process would: all journals that it returns share one store. A
   * journal in memory returns the same instance. The store may have other turns.
   */
  open(): TurnJournal | Promise<TurnJournal>;
  /** Whether the journal has `transaction()`. Default: false. */
  readonly hasTransactions?: boolean;
}

/** A lease that does not end while a case runs, in milliseconds. */
export const LONG = 600_000;

export const RUNNING: TurnFacts = Object.freeze({ status: 'running', pendingCallIds: [] });
export const BEGUN: TurnEntry = Object.freeze({ kind: 'begun', messages: [], options: {}, context: {} });
export const ENDED: TurnEntry = Object.freeze({ kind: 'ended' });

/** An entry that can be told from the others of its turn. */
export const entryOf = (callId: string): TurnEntry => ({ kind: 'call-withdrawn', callId });

/** An append that creates a turn, unless `rest` says otherwise. */
export function appendOf(turnId: string, rest: Partial<TurnAppend> = {}): TurnAppend {
  return { turnId, entries: [BEGUN], after: 0, owner: 'ann', lease: LONG, facts: RUNNING, ...rest };
}

/** Appends, and fails if the journal refuses. */
export async function store(journal: TurnJournal, append: TurnAppend): Promise<void> {
  assertEqual(await journal.append(append), true, `append() stores ${append.entries.length} entries and says so`);
}

export async function readTurn(journal: TurnJournal, turnId: string): Promise<JournaledTurn> {
  return (await journal.read(turnId)) ?? fail('read() finds a stored turn', 'a turn', undefined);
}

/** Waits until something is so, at most ten seconds. */
export async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await check())) {
    if (performance.now() > end) fail(what, 'within ten seconds', 'not yet');
    await sleep(5);
  }
}
