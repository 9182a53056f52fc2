import { errorTypeOf } from '@nestor-ai/core';
import { WaitingError } from 'bullmq';

/**
 * The error of a job as BullMQ gets it, which stores its message and its stack in Redis, and tells
 * both to everybody who listens to its events. The message is the type of the real error only.
 */
export class JobFailedException extends Error {
  override readonly name = 'JobFailedException';

  constructor(override readonly cause: unknown) {
    super(errorTypeOf(cause));
  }
}

/**
 * Runs a job.
 *
 * @throws WaitingError if it comes back; JobFailedException if it has failed
 */
export async function runJob(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw error instanceof WaitingError ? error : new JobFailedException(error);
  }
}
