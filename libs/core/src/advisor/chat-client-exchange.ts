import type { ChatResponse } from '../model/chat-response.js';
import type { Prompt } from '../model/prompt.js';

/** Data that the advisors of one request share. Never sent to the model. */
export type AdvisorContext = Readonly<Record<string, unknown>>;

/** The request that passes through the advisor chain. A plain object: change it by spreading. */
export interface ChatClientRequest {
  readonly prompt: Prompt;
  readonly context: AdvisorContext;
}

/**
 * The response that passes back through the advisor chain. When streaming, there is one for each
 * chunk.
 */
export interface ChatClientResponse {
  /** Undefined if an advisor answered without a model. */
  readonly chatResponse?: ChatResponse;
  readonly context: AdvisorContext;
}
