import type { Awaitable } from './awaitable.js';
import type { ChatModel } from './chat-model.js';
import { serviceKey } from './request-services.js';

/** Outside an application there are none, and no retries by default. */
export const MODELS = serviceKey<ModelServices>('ModelServices');

/** How an application chooses the models of its requests, and asks them again. */
export interface ModelServices {
  /** Finds the model that a request names. Undefined if the model of the client takes any name. */
  resolve(name: string, current: ChatModel): Awaitable<ChatModel | undefined>;
  /**
   * How many times to ask a model again after a temporary error.
   *
   * @param chosen the name in the request's options; undefined for the model of the client
   */
  retriesOf(model: ChatModel, chosen: string | undefined): number;
}
