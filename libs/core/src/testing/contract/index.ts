/** @module @nestor-ai/core/testing/contract */
export { chatModelContract, type ContractCase } from './chat-model-contract.js';
export type {
  ContractAnswer,
  ContractContent,
  ContractFailure,
  ContractFeature,
  ContractHarness,
  ContractRequest,
} from './contract-harness.js';
