import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { TurnQueue, type TurnQueueOptions } from '@nestor-ai/turns';
import { Queue } from 'bullmq';
import { BullSettings } from '../nest/bull-settings.js';
import { closeBull } from '../redis/close-bull.js';
import { loggedCodeOf, RedisException } from '../redis/redis.exception.js';

const TURNS = 'turns';

/** The name in Redis of the queue of turns, or of a queue of long tools. */
export function queueNameOf(queue: string | undefined): string {
  return queue === undefined ? TURNS : `tools-${queue}`;
}

/** The data of a job. The journal has everything else. */
export interface TurnJob {
  readonly turnId: string;
}

/** Where a turn had its job. */
export interface JobPlace {
  readonly priority: number | undefined;
  /** The queue of a long tool. Undefined: the queue of turns. */
  readonly queue: string | undefined;
}

/** The longest time that this process remembers a turn, in milliseconds. */
const LONGEST_TIMER = 120_000;

/** How long a caller waits for Redis, in milliseconds. */
const PATIENCE = 3000;

/** Hands turns to workers through BullMQ. A turn has one job at a time. */
@Injectable()
export class BullTurnQueue extends TurnQueue implements OnApplicationShutdown {
  readonly #queues = new Map<string, Queue<TurnJob>>();
  /** The turns to queue later. */
  readonly #later = new Map<string, { readonly timer: NodeJS.Timeout; readonly add: () => Promise<void> }>();
  #isClosed = false;
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
        `The turn '${turnId}' was not queued, since Redis cannot be reached (${loggedCodeOf(error)}). The journal has it: a worker ` +
          `looks there every ${this.settings.sweepInterval} ms. ${RedisException.of('add its job', error).message}`,
      );
    }
  }

  /** @throws Error if Redis cannot be reached */
  async addJob(turnId: string, { delay, priority, queue: name }: TurnQueueOptions): Promise<void> {
    const queue = this.#queueOf(queueNameOf(name));
    clearTimeout(this.#later.get(turnId)?.timer);
    this.#later.delete(turnId);
    const adding = queue.add(
      'turn',
      { turnId },
      {
        ...(delay && { delay }),
        ...(priority && { priority }),
        // A job that is added while the last one ends is not lost: its turn may have been decided meanwhile.
        // One that waits for a time is replaced: the clock of the process that added it may be wrong.
        deduplication: { id: turnId, keepLastIfActive: true, replace: true },
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
    await unlessAway(queue, adding);
  }

  /**
   * Queues a turn after a delay, which no clock of a machine decides about. If that is long, or this
   * process dies meanwhile, a worker finds the turn in the journal.
   */
  addLater(turnId: string, delay: number, { priority, queue }: JobPlace): void {
    if (this.#isClosed || delay > LONGEST_TIMER || this.#later.has(turnId)) return;
    const options = { ...(priority !== undefined && { priority }), ...(queue !== undefined && { queue }) };
    const add = (): Promise<void> => this.add(turnId, options);
    this.#later.set(turnId, { timer: setTimeout(() => void add(), delay).unref(), add });
  }

  /** Hands the turns that are to be queued later to the other processes. */
  async onApplicationShutdown(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#later.values()].map(({ add }) => add()));
    await Promise.all([...this.#queues.values()].map(closeBull));
  }

  #queueOf(name: string): Queue<TurnJob> {
    const known = this.#queues.get(name);
    if (known) return known;
    const { settings } = this;
    const queue = new Queue<TurnJob>(name, { connection: settings.connectionFor('queue'), prefix: settings.prefix });
    // Without a listener, an error of the connection would end the process.
    queue.on('error', () => undefined);
    // Each turn that is being added listens, too.
    queue.setMaxListeners(0);
    this.#queues.set(name, queue);
    return queue;
  }
}

/** BullMQ itself waits until Redis is back. */
async function unlessAway(queue: Queue, adding: Promise<unknown>): Promise<void> {
  let fail!: (error: Error) => void;
  const failing = new Promise<never>((_resolve, reject) => (fail = reject));
  const timer = setTimeout(() => fail(RedisException.of('add a job', { code: 'ETIMEDOUT' })), PATIENCE);
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
