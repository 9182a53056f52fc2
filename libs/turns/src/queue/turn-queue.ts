import type { EnqueueOptions } from '@nestor-ai/core';
import { OF_AI_MODULE, type Awaitable } from '@nestor-ai/core/internal';

/** The lowest priority of BullMQ, which has the fewest. */
const MAX_PRIORITY = 2_097_152;

/** The longest delay in milliseconds, about a century. Dates end some time after it. */
const MAX_DELAY = 3_153_600_000_000;

/** When and where a turn of the journal runs. */
export interface TurnQueueOptions extends Omit<EnqueueOptions, 'jobId'> {
  /** The queue of a long tool: see `@Tool({ job })`. Default: the queue of turns. */
  readonly queue?: string;
}

/**
 * Hands turns of the `TurnJournal` to workers. The journal has everything about a turn, so that a
 * queue may lose its jobs: what is left in the journal is queued again. It is also the injection
 * token.
 */
export abstract class TurnQueue {
  /** @internal */
  static readonly [OF_AI_MODULE] = 'store';

  /**
   * Queues a turn. A turn that is in the queue already is not added again. If the queue cannot be
   * reached, it must say so in the log and not throw: workers find the turn in the journal.
   *
   * @param turnId the id in the journal
   */
  abstract add(turnId: string, options: TurnQueueOptions): Awaitable<void>;
}

/** @throws RangeError that names a value that no queue understands */
export function checkEnqueueOptions({ delay, priority, jobId }: EnqueueOptions): void {
  if (delay !== undefined && !(typeof delay === 'number' && delay >= 0 && delay <= MAX_DELAY))
    throw new RangeError(`delay must be a number of milliseconds from 0 to ${MAX_DELAY}, but is ${String(delay)}.`);
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 1 && priority <= MAX_PRIORITY))
    throw new RangeError(`priority must be a whole number from 1 to ${MAX_PRIORITY}, but is ${String(priority)}.`);
  if (jobId !== undefined && (typeof jobId !== 'string' || jobId === ''))
    throw new RangeError('jobId must be a text that is not empty.');
}
