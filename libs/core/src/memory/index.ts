export { ChatMemory } from './chat-memory.js';
export { ChatMemoryRepository, InMemoryChatMemoryRepository } from './chat-memory.repository.js';
export { fromMessageJson, type MessageJson, toMessageJson } from './message-json.js';
export { MessageWindowChatMemory, type MessageWindowChatMemoryOptions } from './message-window-chat-memory.js';
export {
  InMemorySuspendedTurnRepository,
  type InMemorySuspendedTurnRepositoryOptions,
  type SuspendedTurn,
  SuspendedTurnRepository,
} from './suspended-turn.repository.js';
