import { Inject, type InjectionToken } from '@nestjs/common';
import { ChatClient } from '../../client/chat-client.js';

/** The name of the client that is injected as `ChatClient`. */
export const DEFAULT_CHAT_CLIENT = 'default';

/** The injection token of a client of `AiModule.forFeature()`. Without a name: `ChatClient`. */
export function getChatClientToken(name: string = DEFAULT_CHAT_CLIENT): InjectionToken<ChatClient> {
  return name === DEFAULT_CHAT_CLIENT ? ChatClient : `nestor.ChatClient:${name}`;
}

/**
 * Injects a client of `AiModule.forFeature()`. Without a name: the `ChatClient` of the
 * application.
 *
 * @example
 * constructor(\@InjectChatClient('support') private readonly support: ChatClient) {}
 */
export function InjectChatClient(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getChatClientToken(name));
}
