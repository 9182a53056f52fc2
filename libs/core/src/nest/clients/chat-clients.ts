import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { readSafely } from '@nestor-ai/schema';
import { ChatClient } from '../../client/chat-client.js';
import { DEFAULT_CHAT_CLIENT, getChatClientToken } from '../decorators/inject-chat-client.decorator.js';
import { ChatClientFactory } from './chat-client.factory.js';

/** The clients of the application by name. `default` is the one that is injected as `ChatClient`. */
@Injectable()
export class ChatClients {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** The names of the clients that exist now. Request-scoped ones are missing. */
  get names(): readonly string[] {
    // Not injected: a TurnQueue of the application, which the factory needs, may need the clients.
    const { made } = this.moduleRef.get(ChatClientFactory, { strict: true });
    const names = [DEFAULT_CHAT_CLIENT, ...made.map(({ name }) => name)];
    return names.filter((name) => this.get(name) !== undefined);
  }

  /** A client. Undefined if it is turned off, request-scoped, or does not exist. */
  get(name: string): ChatClient | undefined {
    // Another AiModule has a default client of its own.
    const strict = name === DEFAULT_CHAT_CLIENT;
    return readSafely(() => this.moduleRef.get<ChatClient>(getChatClientToken(name), { strict }));
  }
}
