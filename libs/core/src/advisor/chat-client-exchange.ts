import type { ChatResponse } from '../model/chat-response.js';
import type { Prompt } from '../model/prompt.js';

/** Data that advisors share along one request. Never sent to the model. */
export type AdvisorContext = Readonly<Record<string, unknown>>;

/** The request that goes down the advisor chain. A plain object: change it by spreading. */
export interface ChatClientRequest {
  readonly prompt: Prompt;
  readonly context: AdvisorContext;
}

/** The response that goes up the advisor chain; when streaming, one for each chunk. */
export interface ChatClientResponse {
  /** Missing when an advisor answered without a model. */
  readonly chatResponse?: ChatResponse;
  readonly context: AdvisorContext;
}
