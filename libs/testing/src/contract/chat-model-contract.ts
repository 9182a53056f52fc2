import { ANSWER_CASES } from './answer-cases.js';
import type { CaseDefinition, ContractHarness } from './contract-harness.js';
import { ENDING_CASES } from './ending-cases.js';
import { REQUEST_CASES } from './request-cases.js';

/** One requirement of the contract, as a test. */
export interface ContractCase {
  /** The title of the test. Names the reason if the case is skipped. */
  readonly name: string;
  /** Why the case does not run. Undefined if it runs. */
  readonly skipped?: string;
  /**
   * Runs the case. Does nothing if it is skipped.
   *
   * @throws AssertionError that says what the contract wants and what the model did
   */
  run(): Promise<void>;
}

/**
 * What every `ChatModel` must do, as tests for any test runner.
 *
 * @param harness creates the models; says what the model does not support
 * @example
 * describe('AcmeChatModel', () => {
 *   for (const { name, run } of chatModelContract({ model: (answers) => acmeModelOf(answers) })) it(name, run);
 * });
 */
export function chatModelContract(harness: ContractHarness): readonly ContractCase[] {
  return [...ANSWER_CASES, ...ENDING_CASES, ...REQUEST_CASES].map((definition): ContractCase => {
    const { name } = definition;
    const skipped = reasonToSkip(definition, harness);
    if (skipped === undefined) return { name, run: () => definition.run(harness) };
    return skippedCase(name, skipped);
  });
}

export function skippedCase(name: string, skipped: string): ContractCase {
  return { name: `${name} (skipped: ${skipped})`, skipped, run: () => Promise.resolve() };
}

function reasonToSkip({ needs = [], readsRequests }: CaseDefinition, harness: ContractHarness): string | undefined {
  const missing = needs.filter((feature) => harness.supports?.[feature] === false);
  if (missing.length > 0) return `the harness does not support ${missing.join(', ')}`;
  return readsRequests && !harness.requests ? 'the harness has no requests()' : undefined;
}
