import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';
import { TurnJournal, TurnQueue, type TurnSummary } from '@nestor-ai/turns';
import { BullSettings } from '../nest/bull-settings.js';
import { BullTurnQueue } from './bull-turn.queue.js';

/** The most turns to read at once. */
const LIMIT = 1000;

const STATUS = ['queued', 'running'] as const;

/** How long a queued turn may be without a job before it is queued again, in milliseconds. */
const GRACE = 5000;

/**
 * Queues the turns of the journal that no process holds: those of processes that died, and those
 * whose jobs Redis has lost. Each worker does so by itself, since a turn has one job at a time.
 */
@Injectable()
export class TurnSweep implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #isSweeping = false;
  private readonly logger = new Logger('BullAiModule');

  constructor(
    private readonly settings: BullSettings,
    private readonly queue: BullTurnQueue,
    @Optional() @Inject(TurnJournal) private readonly journal: TurnJournal | undefined,
    @Optional() @Inject(TurnQueue) private readonly used: TurnQueue | undefined,
  ) {}

  /** @throws Error if the application has no journal */
  onApplicationBootstrap(): void {
    // Without stores(), nothing is queued.
    if (!this.used) return;
    if (!this.journal) {
      throw new Error(
        'BullAiModule needs a TurnJournal, which has the turns that it queues. Import PostgresAiModule and write ' +
          'AiModule.forRoot({ providers: [...PostgresAiModule.stores(), ...BullAiModule.stores()] }).',
      );
    }
    if (!this.settings.runsTurns) return;
    const { sweepInterval } = this.settings;
    // Replicas that start together do not sweep together.
    const interval = sweepInterval * (0.8 + Math.random() * 0.4);
    this.#timer = setInterval(() => void this.sweep(), interval);
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /** Queues what no process holds. */
  async sweep(): Promise<void> {
    if (this.#isSweeping || !this.journal) return;
    this.#isSweeping = true;
    try {
      await this.#queueAll(this.journal);
    } catch (error) {
      this.logger.warn(`Could not look for interrupted turns (${errorTypeOf(error)}). The next try follows.`);
    } finally {
      this.#isSweeping = false;
    }
  }

  /** Any number of turns may wait. The ones behind them must be found, too. */
  async #queueAll(journal: TurnJournal): Promise<void> {
    const query = { status: STATUS, isUnclaimed: true, unchangedFor: GRACE, limit: LIMIT } as const;
    let before = Number.POSITIVE_INFINITY;
    let turns = await journal.find(query);
    const found = new Map<string, string>();
    for (;;) {
      // The oldest turn of a conversation comes last. The others follow when it has ended.
      for (const turn of turns) found.set(placeOf(turn), turn.id);
      const last = turns.length < LIMIT ? Number.NaN : Date.parse(turns.at(-1)!.updatedAt);
      // A journal may not know the condition.
      if (!(last < before)) break;
      // There may be more turns in the millisecond of the last one.
      before = Math.min(last + 1, before - 1);
      turns = await journal.find({ ...query, changedBefore: new Date(before).toISOString() });
    }
    for (const id of found.values()) await this.queue.addJob(id, {});
  }
}

/** What only one turn at a time has: a conversation, if it has not begun. */
function placeOf({ id, status, conversationId, pendingCallIds }: TurnSummary): string {
  const waits = status === 'queued' && pendingCallIds.length === 0 && conversationId !== undefined;
  return waits ? `conversation ${conversationId}` : `turn ${id}`;
}
