import type { TurnEventLog } from '@nestor-ai/turns';
import type { ContractCase } from './chat-model-contract.js';
import { EVENT_LOG_CASES } from './event-log-cases.js';
import { EVENT_LOG_SIGNAL_CASES } from './event-log-signal-cases.js';
import { testsOf } from './store-checks.js';

/** Connects the contract with the log under test. */
export interface TurnEventLogHarness {
  /**
   * Opens the log as one more process would: all logs that it returns share one store. A log in
   * memory returns the same instance. The contract asks for one with a retention of its own to see
   * how it deletes turns.
   *
   * @param retention how long to keep a turn after its last event, in milliseconds. Undefined: long
   */
  open(retention?: number): TurnEventLog | Promise<TurnEventLog>;
}

/**
 * What every `TurnEventLog` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeTurnEventLog', () => {
 *   const open = (retention?: number) => new AcmeTurnEventLog({ retention });
 *   for (const { name, run } of turnEventLogContract({ open })) it(name, run);
 * });
 */
export function turnEventLogContract(harness: TurnEventLogHarness): readonly ContractCase[] {
  return testsOf({ ...EVENT_LOG_CASES, ...EVENT_LOG_SIGNAL_CASES }, harness);
}
