import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import {
  AiShutdownException,
  ConversationBusyException,
  ConversationOwnerException,
  errorTypeOf,
  isStoreFailure,
  ToolApprovalException,
  ToolRegistry,
} from '@nestor-ai/core';
import { type PreparedTurn, TurnQueue, TurnRunner, TurnStreams, type TurnSummary } from '@nestor-ai/turns';
import { type Job, WaitingError, Worker } from 'bullmq';
import { BullSettings } from '../nest/bull-settings.js';
import { closeBull } from '../redis/close-bull.js';
import { loggedCodeOf } from '../redis/redis.exception.js';
import { restWhenRefused } from '../redis/rest-when-refused.js';
import { BullTurnQueue, type JobPlace, queueNameOf, type TurnJob } from './bull-turn.queue.js';
import { ConversationWaits } from './conversation-waits.js';
import { hasLostWorker, isFailure, isFinal } from './failed-tries.js';
import { runJob } from './job-failed.exception.js';
import { WorkerDiedException } from './worker-died.exception.js';

/**
 * How long a worker holds a job without a sign of life, in milliseconds. Then it goes to another one,
 * which finds in the journal whether the turn is still held.
 */
const LOCK = 5000;

/** How long a turn waits that found its conversation locked, in milliseconds. */
const BUSY_PAUSE = 250;

/** How long a job waits after the end of another process's lease, in milliseconds. */
const MARGIN = 50;

/** The first delay before a turn is tried again, in milliseconds. Each further one is twice as long, at most a minute. */
const [BACKOFF, LONGEST_BACKOFF] = [1000, 60_000];

/** The most turns and clients whose problems are remembered, so that each has one line in the log. */
const MAX_WARNED = 1000;

/** What a worker knows of itself. */
interface OwnWork {
  readonly runner: TurnRunner;
  readonly queue: string | undefined;
  readonly waits: ConversationWaits;
}

type RunnableTurn = Extract<PreparedTurn, { next: 'run' }>;

/** Runs the turns of the queues: the one of turns, and those of the application's long tools. */
@Injectable()
export class TurnWorker implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  readonly #workers: Worker<TurnJob>[] = [];
  readonly #warned = new Set<string>();
  #pausing: Promise<unknown> | undefined;
  private readonly logger = new Logger('BullAiModule');

  constructor(
    private readonly settings: BullSettings,
    private readonly queue: BullTurnQueue,
    @Optional() @Inject(TurnRunner) private readonly runner: TurnRunner | undefined,
    @Optional() @Inject(ToolRegistry) private readonly registry: ToolRegistry | undefined,
    @Optional() @Inject(TurnQueue) private readonly used: TurnQueue | undefined,
    @Optional() @Inject(TurnStreams) private readonly streams: TurnStreams | undefined,
  ) {}

  /** @throws Error if the application lacks AiModule, or has no tool of a queue in the settings */
  onApplicationBootstrap(): void {
    const { runner, registry } = this;
    if (!registry)
      throw new Error('BullAiModule needs AiModule, whose turns it runs. Import AiModule.forRoot() as well.');
    const { runsTurns, concurrency, queues } = this.settings;
    // Without stores(), nothing is queued.
    if (!runsTurns || !this.used) return;
    if (!runner) throw new Error('BullAiModule lacks TurnRunner. Give all of BullAiModule.stores() to AiModule.');
    const ofTools = new Set(registry.list().flatMap(({ metadata }) => metadata.job?.queue ?? []));
    const foreign = Object.keys(queues).filter((queue) => !ofTools.has(queue));
    if (foreign.length > 0) {
      throw new Error(
        `The option queues of BullAiModule names queues that no tool has: ${foreign.join(', ')}. Tools of this application ` +
          `have: ${[...ofTools].join(', ') || 'none'}. Write @Tool({ job: { queue } }), or remove the name.`,
      );
    }
    this.#work(runner, undefined, concurrency);
    for (const queue of ofTools) {
      const jobs = queues[queue] ?? 1;
      if (jobs > 0) this.#work(runner, queue, jobs);
    }
  }

  /** Takes no more jobs. AiModule waits for the running turns, and then aborts them. */
  onModuleDestroy(): void {
    this.#pausing = Promise.all(this.#workers.map((worker) => worker.pause(true)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pausing;
    await Promise.all(this.#workers.map(closeBull));
  }

  #work(runner: TurnRunner, queue: string | undefined, concurrency: number): void {
    const { prefix } = this.settings;
    const work: OwnWork = { runner, queue, waits: new ConversationWaits(concurrency) };
    const worker = new Worker<TurnJob>(
      queueNameOf(queue),
      (job, token) => runJob(() => this.#tryTurn(work, job, token)),
      {
        connection: this.settings.connectionFor('worker'),
        prefix,
        concurrency,
        lockDuration: LOCK,
        stalledInterval: LOCK,
        // The journal knows what a turn has done. However often its workers die, it goes on.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      },
    );
    let isAway = false;
    worker.on('error', (error) => {
      if (!isAway) this.logger.error(`The worker cannot reach Redis (${loggedCodeOf(error)}), and tries again.`);
      isAway = true;
    });
    worker.on('ready', () => (isAway = false));
    restWhenRefused(worker, () => this.#pausing !== undefined);
    this.#workers.push(worker);
  }

  /**
   * Workers find a turn that waits in the journal again and again, in case a new version of the
   * application can run it.
   */
  #warnOnce(key: string, text: string): void {
    if (this.#warned.has(key)) return;
    if (this.#warned.size >= MAX_WARNED) this.#warned.clear();
    this.#warned.add(key);
    this.logger.warn(text);
  }

  async #tryTurn(work: OwnWork, job: Job<TurnJob>, token: string | undefined): Promise<void> {
    try {
      await this.#process(work, job);
    } catch (error) {
      if (error instanceof ConversationBusyException)
        return this.queue.addLater(job.data.turnId, BUSY_PAUSE, placeOf(work, job));
      if (error instanceof AiShutdownException) return await giveBack(job, token);
      if (isStoreFailure(error)) this.#wait(work, job, error);
      throw error;
    }
  }

  /** A turn goes on when its stores can be reached again, however long that takes. */
  #wait(work: OwnWork, job: Job<TurnJob>, error: unknown): void {
    const { turnId } = job.data;
    this.logger.warn(`The turn '${turnId}' waits, since a store cannot be reached (${errorTypeOf(error)}).`);
    this.queue.addLater(turnId, BACKOFF, placeOf(work, job));
  }

  /** Turns of a conversation have jobs one after the other: each one queues the next. */
  async #queueNextIn({ runner }: OwnWork, conversationId: string | undefined): Promise<void> {
    const next = conversationId === undefined ? undefined : await runner.nextIn(conversationId);
    if (next !== undefined) await this.queue.add(next, {});
  }

  /** The journal counts how often a turn fails, so that it does not matter which process dies or loses its job. */
  async #fail(
    work: OwnWork,
    { turn: { id, conversationId }, failures }: RunnableTurn,
    job: Job<TurnJob>,
    error: unknown,
  ): Promise<void> {
    const count = failures + 1;
    const isRetried = !this.#isLast(failures, error);
    await work.runner.recordFailure(id, error, isRetried);
    const text = `The turn '${id}' has failed`;
    if (isRetried) {
      this.logger.warn(`${text} (${errorTypeOf(error)}), and is tried again.`);
      this.queue.addLater(id, Math.min(BACKOFF * 2 ** failures, LONGEST_BACKOFF), placeOf(work, job));
    } else {
      this.logger.error(
        `${text} ${count === 1 ? 'once' : `${count} times`} (${errorTypeOf(error)}), and is not tried again. Continue it with ` +
          'chatClient.prompt().toolApprovals([], { turnId }). If it has not begun, send its request again.',
      );
      await this.#queueNextIn(work, conversationId);
    }
  }

  /**
   * That a process dies once does not end a turn: something else may have ended the process. A conversation
   * of another user stays closed, whatever is tried.
   */
  #isLast(failures: number, error: unknown): boolean {
    const { attempts } = this.settings;
    if (error instanceof ConversationOwnerException) return true;
    return failures + 1 >= (error instanceof WorkerDiedException ? Math.max(2, attempts) : attempts);
  }

  async #process(work: OwnWork, job: Job<TurnJob>): Promise<void> {
    const { runner, queue, waits } = work;
    const { turnId } = job.data;
    const startWait = (): (() => void) | undefined => waits.start();
    for (;;) {
      const prepared = await runner.prepare(turnId, { queue, isRetried: true, startWait });
      if (prepared.next === 'nothing') return this.#queueNextIn(work, prepared.conversationId);
      if (prepared.next === 'unknown-client') {
        const { client } = prepared;
        const text = `The turn '${turnId}' waits, since this application does not have its client '${client}' as a singleton.`;
        return this.#warnOnce(client, `${text} Further turns of this client are not reported.`);
      }
      if (prepared.next === 'elsewhere') return this.queue.addJob(turnId, { queue: prepared.queue });
      if (prepared.next === 'later') return this.queue.addLater(turnId, prepared.delay + MARGIN, placeOf(work, job));
      try {
        if (await this.#tryOnce(prepared, job)) return await this.#queueNextIn(work, prepared.turn.conversationId);
      } catch (error) {
        if (isFailure(error)) await this.#fail(work, prepared, job, error);
        throw error;
      }
    }
  }

  /** @returns whether there is nothing more to do */
  async #tryOnce(prepared: RunnableTurn, job: Job<TurnJob>): Promise<boolean> {
    const { request, turn } = prepared;
    if (hasLostWorker(turn, job)) throw new WorkerDiedException();
    const callerRequest = await this.settings.request?.(turn);
    if (callerRequest !== undefined) request.request(callerRequest);
    return this.#isOver(turn, this.#run(prepared));
  }

  /** Runs a turn. With a TurnEventLog, its events go there. */
  async #run({ request, turn, failures }: RunnableTurn): Promise<void> {
    if (!this.streams?.isEnabled) {
      await request.call().chatResponse();
      return;
    }
    await this.streams.record(turn, request, {
      isFinal: (error) => isFinal(error, this.#isLast(failures, error)),
    });
  }

  /**
   * @returns whether there is nothing more to do. Otherwise the turn may have been decided meanwhile.
   * @throws the error of the turn, so that it is tried again
   */
  async #isOver({ id }: TurnSummary, running: Promise<unknown>): Promise<boolean> {
    try {
      await running;
      return false;
    } catch (error) {
      if (!(error instanceof ToolApprovalException)) throw error;
      // It waits for a decision about calls that may have run, or another process has it or has ended it.
      if (['uncertain', 'conflict', 'not-found'].includes(error.problem)) return true;
      if (error.problem !== 'unavailable') throw error;
      // A deployment has removed a tool.
      this.#warnOnce(id, `The turn '${id}' waits. ${error.message}`);
      return true;
    }
  }
}

/** Where the next job of the turn goes. */
function placeOf({ queue }: OwnWork, { opts: { priority } }: Job<TurnJob>): JobPlace {
  return { priority, queue };
}

/**
 * Gives a job back to the queue at once, for another process.
 *
 * @throws WaitingError, which tells BullMQ so
 */
async function giveBack(job: Job<TurnJob>, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
