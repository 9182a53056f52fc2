import { setTimeout as pause } from 'node:timers/promises';
import { PostgresException } from '../database/postgres.exception.js';

/** The pauses before each repetition, in milliseconds. Together longer than a restart. */
const PAUSES = [20, 100, 400, 1000, 2500, 5000];

/** How long to go on repeating after the first failure, in milliseconds: a full pool takes a while to say so. */
const LONGEST = 10_000;

/**
 * Runs a statement, and repeats it on another connection if its connection broke. A restart of the
 * server and a failover take a few seconds.
 *
 * @param run a statement that can run again; receives whether it may have been executed before
 */
export async function repeatWhenLost<T>(run: (mayBeExecuted: boolean) => Promise<T>): Promise<T> {
  let end: number | undefined;
  for (const delay of PAUSES) {
    try {
      return await run(end !== undefined);
    } catch (error) {
      end ??= performance.now() + LONGEST;
      if (!(error instanceof PostgresException && error.isConnectionFailure) || performance.now() > end) throw error;
    }
    await pause(delay);
  }
  return run(end !== undefined);
}
