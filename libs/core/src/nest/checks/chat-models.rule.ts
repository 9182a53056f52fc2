import type { ChatModel } from '../../model/chat-model.js';
import { problemsOf } from '../bootstrap-problems.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import type { AiApplication } from './ai-application.js';

/** The models of all clients can be asked. */
export function checkChatModels(application: AiApplication): readonly string[] {
  return application.madeClients.flatMap(({ name, chatModel }) => {
    if (name === DEFAULT_CHAT_CLIENT) return problemsOf(() => verify(chatModel, 'AiModule'));
    return chatModel === application.chatModel ? [] : problemsOf(() => verify(chatModel, `the client '${name}'`));
  });
}

/** @throws Error when the model cannot be asked */
function verify(chatModel: ChatModel, owner: string): void {
  if (typeof chatModel?.call !== 'function' || typeof chatModel.stream !== 'function') {
    throw new Error(`The ChatModel given to ${owner} is none: it has no call() or no stream(). Extend ChatModel.`);
  }
  chatModel.verify?.();
}
