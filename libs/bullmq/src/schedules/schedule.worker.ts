import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';
import { type Job, Queue, Worker } from 'bullmq';
import { BullSettings } from '../nest/bull-settings.js';
import { closeBull } from '../redis/close-bull.js';
import { restWhenRefused } from '../redis/rest-when-refused.js';
import { runJob } from '../turns/job-failed.exception.js';
import { type Schedule, ScheduleExplorer } from './schedule.explorer.js';

const SCHEDULES = 'schedules';

/** How often a worker tries a turn that is due, and the delay between the tries in milliseconds. */
const TRIES = { attempts: 8, backoff: { type: 'fixed', delay: 5000 } } as const;

/** Keeps the schedules in Redis, and queues the turns that are due: each by one worker. */
@Injectable()
export class ScheduleWorker implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  #schedules: readonly Schedule[] = [];
  #queue: Queue | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  private readonly logger = new Logger('BullAiModule');

  constructor(
    private readonly settings: BullSettings,
    private readonly explorer: ScheduleExplorer,
  ) {}

  /** @throws Error that names all mistakes in schedules */
  onApplicationBootstrap(): void {
    this.#schedules = this.explorer.explore();
    const { settings } = this;
    const { prefix, runsTurns, sweepInterval } = settings;
    if (!runsTurns || this.#schedules.length === 0) return;
    this.#queue = new Queue(SCHEDULES, { connection: settings.connectionFor('worker'), prefix });
    this.#worker = new Worker(SCHEDULES, (job) => runJob(() => this.#enqueue(job)), {
      connection: settings.connectionFor('worker'),
      prefix,
    });
    // The worker of the turns reports a lost connection.
    this.#queue.on('error', () => undefined);
    restWhenRefused(this.#worker, () => false);
    this.#worker.on('failed', (job, error) => this.#report(job, error));
    // Redis may lose its data.
    this.#timer = setInterval(() => void this.#keepAll(this.#queue!, false), sweepInterval);
    this.#timer.unref();
    void this.#keepAll(this.#queue, true);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.#worker, this.#queue].map((owner) => owner && closeBull(owner)));
  }

  async #keepAll(queue: Queue, mayReplace: boolean): Promise<void> {
    for (const schedule of this.#schedules) {
      try {
        await keep(queue, schedule, mayReplace);
      } catch (error) {
        this.logger.error(
          `The schedule '${schedule.name}' of ${schedule.place} does not run (${errorTypeOf(error)}). Check its pattern and time zone, ` +
            'and ai.bullmq.connection.',
        );
      }
    }
  }

  async #enqueue({ id, name, opts, timestamp }: Job): Promise<void> {
    const schedule = this.#schedules.find((known) => known.name === name);
    // During a roll-out, another version of the application may have it.
    if (!schedule) throw new UnknownScheduleException(name);
    const request = await schedule.run({ name, dueAt: new Date(opts.prevMillis ?? timestamp) });
    // The id is that of the tick, so that a tick has one turn even if a worker dies here.
    await request?.enqueue({ jobId: `${SCHEDULES}:${id!}` });
  }

  #report(job: Job | undefined, { message, cause }: Error): void {
    if (!job || job.attemptsMade < TRIES.attempts) return;
    if (!(cause instanceof UnknownScheduleException)) {
      this.logger.error(
        `The schedule '${job.name}' could not queue its turn: ${message}`,
        (cause as Error | undefined)?.stack,
      );
      return;
    }
    this.logger.warn(`No @ScheduledTurn() has the name '${job.name}'. The schedule is removed.`);
    this.#queue?.removeJobScheduler(job.name).catch(() => undefined);
  }
}

/** No method of this application has a schedule. */
class UnknownScheduleException extends Error {
  override readonly name = 'UnknownScheduleException';
}

/** Stores a schedule in Redis, unless it is there. */
async function keep(queue: Queue, { name, options }: Schedule, mayReplace: boolean): Promise<void> {
  const { pattern, every, tz } = options;
  const known = await queue.getJobScheduler(name);
  const isSame = known && known.pattern === pattern && (known.every ?? 0) === (every ?? 0) && known.tz === tz;
  // Other replicas may have another version of the application, so only a new one replaces it.
  if (isSame || (known && !mayReplace)) return;
  const repeat = {
    ...(pattern !== undefined && { pattern }),
    ...(every !== undefined && { every }),
    ...(tz && { tz }),
  };
  await queue.upsertJobScheduler(name, repeat, {
    name,
    opts: { ...TRIES, removeOnComplete: true, removeOnFail: true },
  });
}
