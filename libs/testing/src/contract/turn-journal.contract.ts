import { type ContractCase, skippedCase } from './chat-model-contract.js';
import type { TurnJournalHarness } from './journal-checks.js';
import { JOURNAL_APPEND_CASES } from './journal-append-cases.js';
import { JOURNAL_CLAIM_CASES } from './journal-claim-cases.js';
import { JOURNAL_CONTENT_CASES } from './journal-content-cases.js';
import { JOURNAL_FIND_CASES } from './journal-find-cases.js';
import { JOURNAL_TRANSACTION_CASES } from './journal-transaction-cases.js';
import { testsOf } from './store-checks.js';

/**
 * What every `TurnJournal` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeTurnJournal', () => {
 *   for (const { name, run } of turnJournalContract({ open: () => new AcmeTurnJournal() })) it(name, run);
 * });
 */
export function turnJournalContract(harness: TurnJournalHarness): readonly ContractCase[] {
  const cases = { ...JOURNAL_APPEND_CASES, ...JOURNAL_CLAIM_CASES, ...JOURNAL_FIND_CASES, ...JOURNAL_CONTENT_CASES };
  const transactions = testsOf(JOURNAL_TRANSACTION_CASES, harness);
  if (harness.hasTransactions) return [...testsOf(cases, harness), ...transactions];
  const skipped = transactions.map(({ name }) => skippedCase(name, 'the journal has no transaction()'));
  return [...testsOf(cases, harness), ...skipped];
}
