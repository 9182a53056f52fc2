export { ChatMemory } from './chat-memory.js';
export {
  ChatMemoryRepository,
  InMemoryChatMemoryRepository,
  type InMemoryChatMemoryRepositoryOptions,
} from './chat-memory.repository.js';
export { fromMessageJson, type MessageJson, toMessageJson } from './message-json.js';
export { MessageWindowChatMemory, type MessageWindowChatMemoryOptions } from './message-window-chat-memory.js';
export {
  InMemorySuspendedTurnRepository,
  type InMemorySuspendedTurnRepositoryOptions,
} from './in-memory-suspended-turn.repository.js';
export { type SuspendedTurn, SuspendedTurnRepository, type TurnClaim } from './suspended-turn.repository.js';
