import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { errorTypeOf, TurnQueue, type TurnQueueOptions } from '@nestor-ai/core';
import { Queue } from 'bullmq';
import { BullSettings } from '../nest/bull-settings.js';

const TURNS = 'turns';

/** The name in Redis of the queue of turns, or of a queue of long tools. */
export function queueNameOf(queue: string | undefined): string {
  return queue === undefined ? TURNS : `tools-${queue}`;
}

/** The data of a job. The journal has everything else. */
export interface TurnJob {
  readonly turnId: string;
}

/** The first delay before a turn is tried again, in milliseconds. Each further one is twice as long. */
const BACKOFF = 1000;

/** How long a caller waits for Redis, in milliseconds. */
const PATIENCE = 3000;

/** Hands turns to workers through BullMQ. A turn has one job at a time. */
@Injectable()
export class BullTurnQueue extends TurnQueue implements OnApplicationShutdown {
  readonly #queues = new Map<string, Queue<TurnJob>>();
  private readonly logger = new Logger('BullAiModule');

  constructor(private readonly settings: BullSettings) {
    super();
  }

  /**
   * Queues a turn. If Redis is away, the turn is not lost: the journal has it, and a worker finds it
   * there.
   */
  override async add(turnId: string, options: TurnQueueOptions): Promise<void> {
    try {
      await this.addJob(turnId, options);
    } catch (error) {
      this.logger.warn(
        `The turn '${turnId}' was not queued, since Redis cannot be reached (${errorTypeOf(error)}). The journal has it: a worker ` +
          `looks there every ${this.settings.sweepInterval} ms. Check ai.bullmq.connection.`,
      );
    }
  }

  /** @throws Error if Redis cannot be reached */
  async addJob(turnId: string, { delay, priority, queue: name }: TurnQueueOptions): Promise<void> {
    const queue = this.#queueOf(queueNameOf(name));
    const adding = queue.add(
      'turn',
      { turnId },
      {
        ...(delay && { delay }),
        ...(priority && { priority }),
        deduplication: { id: turnId },
        attempts: this.settings.attempts,
        backoff: { type: 'exponential', delay: BACKOFF },
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
    await unlessAway(queue, adding);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  #queueOf(name: string): Queue<TurnJob> {
    const known = this.#queues.get(name);
    if (known) return known;
    const { settings } = this;
    const queue = new Queue<TurnJob>(name, { connection: settings.connectionFor('queue'), prefix: settings.prefix });
    // Without a listener, an error of the connection would end the process.
    queue.on('error', () => undefined);
    this.#queues.set(name, queue);
    return queue;
  }
}

/** BullMQ itself waits until Redis is back. */
async function unlessAway(queue: Queue, adding: Promise<unknown>): Promise<void> {
  let fail!: (error: Error) => void;
  const failing = new Promise<never>((_resolve, reject) => (fail = reject));
  const timer = setTimeout(
    () => fail(Object.assign(new Error('Redis did not answer.'), { code: 'ETIMEDOUT' })),
    PATIENCE,
  );
  const failIfAway = (error: Error): void => {
    // Without a code: a silent connection is replaced, and the command is sent again.
    if ('code' in error) fail(error);
  };
  queue.on('error', failIfAway);
  try {
    await Promise.race([adding, failing]);
  } finally {
    clearTimeout(timer);
    queue.off('error', failIfAway);
    adding.catch(() => undefined);
  }
}
