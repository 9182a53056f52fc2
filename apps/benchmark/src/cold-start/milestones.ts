import { check } from '../measure.js';
import { FINAL } from '../work.js';
import { printResult } from '../children.js';

/** When an application was ready for what, in milliseconds since its process began, and what it needs by then. */
export interface ColdStart {
  readonly imported: number;
  readonly bootstrapped: number;
  readonly answered: number;
  readonly rssMB: number;
}

/**
 * Tells of a start, and ends the process.
 *
 * @param boot starts the application, and gives what asks the question
 */
export async function tellOfStart(boot: () => Promise<() => Promise<string>>): Promise<never> {
  const imported = performance.now();
  const ask = await boot();
  const bootstrapped = performance.now();
  check(await ask(), FINAL);
  const answered = performance.now();
  const result: ColdStart = { imported, bootstrapped, answered, rssMB: process.memoryUsage.rss() / 1e6 };
  printResult(result);
  process.exit();
}
