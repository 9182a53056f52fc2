import type { ChatModel } from '../model/chat-model.js';

/**
 * Makes sure that a model can be asked.
 *
 * @param owner whose model it is, for the message
 * @throws Error when it cannot
 */
export function verifyModel(chatModel: ChatModel, owner: string): void {
  if (typeof chatModel?.call !== 'function' || typeof chatModel.stream !== 'function') {
    throw new Error(`The ChatModel given to ${owner} is none: it has no call() or no stream(). Extend ChatModel.`);
  }
  chatModel.verify?.();
}
