import type { TurnJournal } from '../../memory/turn-journal.js';
import type { ContractCase } from './chat-model-contract.js';
import { JOURNAL_APPEND_CASES } from './journal-append-cases.js';
import { JOURNAL_CLAIM_CASES } from './journal-claim-cases.js';
import { JOURNAL_CONTENT_CASES } from './journal-content-cases.js';
import { JOURNAL_FIND_CASES } from './journal-find-cases.js';
import { JOURNAL_TRANSACTION_CASES } from './journal-transaction-cases.js';

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

/**
 * What every `TurnJournal` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeTurnJournal', () => {
 *   for (const { name, run } of turnJournalContract({ open: () => new AcmeTurnJournal() })) it(name, run);
 * });
 */
export function turnJournalContract(harness: TurnJournalHarness): readonly ContractCase[] {
  const cases = [...JOURNAL_APPEND_CASES, ...JOURNAL_CLAIM_CASES, ...JOURNAL_FIND_CASES, ...JOURNAL_CONTENT_CASES];
  const runs = cases.map(({ name, run }): ContractCase => ({ name, run: () => run(harness) }));
  const transactions = JOURNAL_TRANSACTION_CASES.map(({ name, run }): ContractCase => {
    if (harness.hasTransactions) return { name, run: () => run(harness) };
    const skipped = 'the journal has no transaction()';
    return { name: `${name} (skipped: ${skipped})`, skipped, run: () => Promise.resolve() };
  });
  return [...runs, ...transactions];
}
