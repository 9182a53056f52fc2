import { Inject, type InjectionToken } from '@nestjs/common';
import { ChatModel } from '../../model/chat-model.js';

/** The injection token of a model with a name. Without a name: `ChatModel`. */
export function getChatModelToken(name?: string): InjectionToken<ChatModel> {
  return name === undefined ? ChatModel : `nestor.ChatModel:${name}`;
}

/**
 * Injects a model with a name, which `AiSdkModule.forRoot({ models })` or
 * `AiSdkModule.forFeature()` provides. Without a name: the `ChatModel` of the application.
 *
 * @example
 * constructor(\@InjectChatModel('fast') private readonly fast: ChatModel) {}
 */
export function InjectChatModel(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getChatModelToken(name));
}
