import type { Provider } from '@nestjs/common';
import { ApprovalPolicy, ApprovalTokens, ContentRedactor, SuspendedTurnRepository } from '@nestor-ai/core';
import { asDefaults, BootstrapProblems, JOB_QUEUE, STORED_TURNS } from '@nestor-ai/core/internal';
import { DeferredResults } from './deferred-results.js';
import { TurnJournal } from './journal/turn-journal.js';
import { QueuedTurns } from './queue/queued-turns.js';
import { TurnQueue } from './queue/turn-queue.js';
import { TurnRunner } from './queue/turn-runner.js';
import { TurnEventLog } from './streams/turn-event-log.js';
import { TurnStreams } from './streams/turn-streams.js';

/** What AiModule needs to run turns with the stores that it has. It may have only some of them. */
export const TURN_PROVIDERS: readonly Provider[] = asDefaults([
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
  { provide: TurnRunner, useClass: TurnRunner },
  { provide: DeferredResults, useClass: DeferredResults },
  {
    provide: STORED_TURNS,
    inject: [TurnJournal, TurnQueue, ApprovalPolicy, ApprovalTokens, SuspendedTurnRepository, BootstrapProblems],
    useFactory: (
      journal: TurnJournal | undefined,
      queue: TurnQueue | undefined,
      policy: ApprovalPolicy,
      tokens: ApprovalTokens | undefined,
      repository: SuspendedTurnRepository,
      problems: BootstrapProblems,
    ): QueuedTurns | undefined => {
      if (journal && (journal as object) !== repository) problems.add(RECORDS_NOTHING);
      return journal && queue && new QueuedTurns(journal, queue, { policy, tokens });
    },
  },
  {
    provide: JOB_QUEUE,
    inject: [TurnJournal, TurnQueue],
    useFactory: (journal: TurnJournal | undefined, queue: TurnQueue | undefined): TurnQueue | undefined =>
      journal && queue,
  },
]);

const RECORDS_NOTHING =
  'The TurnJournal in AiModule would record nothing, since its SuspendedTurnRepository is another object. Provide the ' +
  'journal as the repository, and only there: { provide: SuspendedTurnRepository, useClass: YourJournal }.';
