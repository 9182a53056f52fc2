/**
 * Turns that outlive the process that runs them: the journal, the queue and the log of their events,
 * routes to read and stop them, and results that come later.
 *
 * @module @nestor-ai/turns
 */
export { AiTurnsModule, type AiTurnsModuleOptions } from './ai-turns.module.js';
export { DeferredResultException, DeferredResults } from './deferred-results.js';
export { InMemoryTurnJournal } from './journal/in-memory-turn-journal.js';
export {
  type JournaledTurn,
  recordOf as toAccessedTurn,
  toSuspendedTurn,
  type TurnFacts,
  type TurnSummary,
} from './journal/journaled-turn.js';
export { type TurnAppend, TurnJournal, type TurnQuery } from './journal/turn-journal.js';
export { TurnQueue, type TurnQueueOptions } from './queue/turn-queue.js';
export { type PreparedTurn, TurnRunner } from './queue/turn-runner.js';
export { InMemoryTurnEventLog } from './streams/in-memory-turn-event-log.js';
export type { NumberedRecordedEvent, RecordedEvent } from './streams/recorded-event.js';
export { DEFAULT_EVENT_RETENTION, type NumberedTurnEvent, TurnEventLog } from './streams/turn-event-log.js';
export type { TurnEventReader } from './streams/turn-event-reader.js';
export { TurnStreamFormat } from './streams/turn-stream-format.js';
export { type RecordedRequest, TurnStreams } from './streams/turn-streams.js';
