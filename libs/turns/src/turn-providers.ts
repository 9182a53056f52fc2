import { Inject, Injectable, type Provider } from '@nestjs/common';
import {
  AiExtension,
  ApprovalTokens,
  ContentRedactor,
  type RequestServices,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import { APPROVAL_RULES, JOB_QUEUE, STORED_TURNS } from '@nestor-ai/core/internal';
import { DeferredResults } from './deferred-results.js';
import { TurnJournal } from './journal/turn-journal.js';
import { QueuedTurns } from './queue/queued-turns.js';
import { TurnQueue } from './queue/turn-queue.js';
import { TurnRunner } from './queue/turn-runner.js';
import { TurnEventLog } from './streams/turn-event-log.js';
import { TurnStreams } from './streams/turn-streams.js';

/** Lets `enqueue()` and long tools use the journal and the queue of AiModule. */
@Injectable()
class TurnsExtension extends AiExtension {
  constructor(
    private readonly repository: SuspendedTurnRepository,
    @Inject(TurnJournal) private readonly journal: TurnJournal | undefined,
    @Inject(TurnQueue) private readonly queue: TurnQueue | undefined,
  ) {
    super();
  }

  override check(): readonly string[] {
    const { journal, repository } = this;
    if (!journal || (journal as object) === repository) return [];
    return [
      'The TurnJournal in AiModule would record nothing, since its SuspendedTurnRepository is another object. Provide the ' +
        'journal as the repository, and only there: { provide: SuspendedTurnRepository, useClass: YourJournal }.',
    ];
  }

  override services(services: RequestServices): void {
    const { journal, queue } = this;
    if (!journal || !queue) return;
    services.set(STORED_TURNS, new QueuedTurns(journal, queue, services.get(APPROVAL_RULES)!)).set(JOB_QUEUE, queue);
  }
}

/** What AiModule needs to run turns with the stores that it has. It may have only some of them. */
export const TURN_PROVIDERS: readonly Provider[] = [
  // Some test kits create a mock for a provider that is injected but missing.
  { provide: TurnQueue, useValue: undefined },
  { provide: TurnEventLog, useValue: undefined },
  {
    provide: TurnJournal,
    inject: [SuspendedTurnRepository],
    useFactory: (repository: SuspendedTurnRepository): TurnJournal | undefined => TurnJournal.of(repository),
  },
  {
    provide: TurnStreams,
    inject: [TurnEventLog, TurnJournal, ApprovalTokens, ContentRedactor],
    useFactory: (
      log: TurnEventLog | undefined,
      journal: TurnJournal | undefined,
      tokens: ApprovalTokens | undefined,
      redactor: ContentRedactor | undefined,
    ): TurnStreams => new TurnStreams(log, journal, { tokens, redactor }),
  },
  TurnRunner,
  DeferredResults,
  { provide: AiExtension, useClass: TurnsExtension },
];
