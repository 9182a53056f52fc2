export { ChatMemory } from './chat-memory.js';
export {
  type ConversationAppend,
  ConversationLog,
  type ConversationPage,
  type ConversationTurn,
} from './conversation-log.js';
export { ConversationOwnerException, type Speaker } from './conversation-owner.exception.js';
export { InMemoryConversationLog } from './in-memory-conversation-log.js';
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
export type { TurnEntry } from './turn-entry.js';
export { isStoreFailure } from './store-failure.js';
export { type ConversationHold, ConversationLocks, type ConversationWait } from './conversation-locks.js';
