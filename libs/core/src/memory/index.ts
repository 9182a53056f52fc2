export { ChatMemory } from './chat-memory.js';
export { ChatMemoryRepository, InMemoryChatMemoryRepository } from './chat-memory.repository.js';
export { fromMessageJson, type MessageJson, toMessageJson } from './message-json.js';
export { MessageWindowChatMemory } from './message-window-chat-memory.js';
export { InMemorySuspendedTurnRepository } from './in-memory-suspended-turn.repository.js';
export {
  type SuspendedTurn,
  SuspendedTurnRepository,
  type TurnChange,
  type TurnData,
  type TurnStatus,
} from './suspended-turn.repository.js';
export { InMemoryTurnJournal } from './in-memory-turn-journal.js';
export type { TurnEntry } from './turn-entry.js';
export {
  type JournaledTurn,
  recordOf as toAccessedTurn,
  toSuspendedTurn,
  type TurnFacts,
  type TurnSummary,
} from './journaled-turn.js';
export { type TurnAppend, TurnJournal, type TurnQuery } from './turn-journal.js';
export { isStoreFailure } from './store-failure.js';
export { type ConversationHold, ConversationLocks, type ConversationWait } from './conversation-locks.js';
export { InMemoryTurnEventLog } from './in-memory-turn-event-log.js';
export { DEFAULT_EVENT_RETENTION, type NumberedTurnEvent, TurnEventLog } from './turn-event-log.js';
