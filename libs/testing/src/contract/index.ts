/** @module @nestor-ai/testing/contract */
export { chatMemoryContract } from './chat-memory-contract.js';
export { conversationLogContract } from './conversation-log.contract.js';
export { chatModelContract, type ContractCase } from './chat-model-contract.js';
export type {
  ContractAnswer,
  ContractContent,
  ContractFailure,
  ContractFeature,
  ContractHarness,
  ContractRequest,
} from './contract-harness.js';
export { conversationLocksContract, type ConversationLocksHarness } from './conversation-locks.contract.js';
export { suspendedTurnsContract, type SuspendedTurnsHarness } from './suspended-turns.contract.js';
export { toolRateLimitsContract, type ToolRateLimitsHarness } from './tool-rate-limits.contract.js';
export { toolResultStoreContract, type ToolResultStoreHarness } from './tool-result-store.contract.js';
export { turnEventLogContract, type TurnEventLogHarness } from './turn-event-log.contract.js';
export type { TurnJournalHarness } from './journal-checks.js';
export { turnJournalContract } from './turn-journal.contract.js';
