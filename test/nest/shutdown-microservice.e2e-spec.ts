import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Server } from '@nestjs/microservices';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';

/** A transport that needs some time to send an answer, like the client of a broker. */
class Broker extends Server {
  readonly sent: unknown[] = [];
  #isOpen = true;
  listen(begun: () => void) {
    begun();
  }
  async receive(pattern: string) {
    const answer: unknown = await this.getHandlerByPattern(pattern)!({});
    await setTimeout(10);
    if (this.#isOpen) this.sent.push(answer);
  }
  close() {
    this.#isOpen = false;
  }
  on() {
    return undefined;
  }
  unwrap<T>() {
    return this as unknown as T;
  }
}

@Controller()
class Assistant {
  constructor(private readonly chatClient: ChatClient) {}

  @MessagePattern('ask')
  ask() {
    return this.chatClient.prompt('Go').call().content();
  }
}

it('a hybrid application sends the answers of its last turns before its transports close', async () => {
  const chatModel = new ScriptedChatModel([{ text: 'Hello', delay: 50 }]);
  @Module({ imports: [AiModule.forRoot({ chatModel })], controllers: [Assistant] })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger: false });
  const strategy = new Broker();
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.init();

  const received = strategy.receive('ask');
  await setTimeout(10);
  await app.close();
  await received;

  expect(strategy.sent).toEqual(['Hello']);
});
