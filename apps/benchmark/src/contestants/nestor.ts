/* A Nest application that imports AiModule: tools are methods of a provider. */
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient, type ChatModel, type Message, Tool, UserMessage } from '@nestor-ai/core';
import { z } from 'zod';
import {
  ARGUMENTS,
  type Ask,
  type AskStreaming,
  catalogueOf,
  type Contestant,
  FINAL,
  ONE_CALL,
  QUESTION,
  type StreamWork,
  type Texts,
  TOOL,
  type TurnWork,
  weatherAfter,
} from '../work.js';
import { StreamingModel, TurnModel } from './nestor-models.js';

const { version } = createRequire(import.meta.url)('@nestor-ai/core/package.json') as { version: string };

/** A class with so many tool methods, as if somebody had written it. */
export function toolsClass(tools: number, toolDelay: number): new () => object {
  class CatalogueTools {}
  const execute = weatherAfter(toolDelay);
  for (const { name, description, schema } of catalogueOf<z.ZodType>(tools, z)) {
    const descriptor = {
      value: (input: { city: string }) => execute(input),
      writable: true,
      configurable: true,
    };
    Object.defineProperty(CatalogueTools.prototype, name, descriptor);
    Reflect.defineMetadata('design:paramtypes', [Object], CatalogueTools.prototype, name);
    Tool({ name, description, inputSchema: schema as never })(CatalogueTools.prototype, name, descriptor as never);
  }
  return CatalogueTools;
}

/** The client of an application with this model and these tools. */
export async function clientOf(chatModel: ChatModel, ...providers: (new () => object)[]): Promise<ChatClient> {
  @Module({ imports: [AiModule.forRoot({ chatModel })], providers })
  class BenchmarkModule {}
  const app = await NestFactory.createApplicationContext(BenchmarkModule, { logger: false });
  return app.get(ChatClient);
}

const historyOf = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, index): Message[] => [
    new UserMessage(QUESTION),
    { role: 'assistant', text: '', toolCalls: [{ id: `old_${index}`, name: TOOL, arguments: ARGUMENTS }] },
    { role: 'tool', responses: [{ id: `old_${index}`, name: TOOL, responseData: '{"temperature":21}' }] },
    { role: 'assistant', text: FINAL, toolCalls: [] },
  ]).flat();

/** Makes the models that answer. */
export interface Models {
  turnModelOf(work: TurnWork): ChatModel;
  streamingModelOf(work: StreamWork): ChatModel;
}

export function createContestant(name: string, models: Models): Contestant {
  const streamingClient = (work: StreamWork): Promise<ChatClient> =>
    clientOf(models.streamingModelOf(work), toolsClass(ONE_CALL.tools, ONE_CALL.toolDelay));
  return {
    name,
    version,

    async ask(work): Promise<Ask> {
      const client = await clientOf(models.turnModelOf(work), toolsClass(work.tools, work.toolDelay));
      if (work.history === 0) return () => client.prompt(QUESTION).call().content();
      const history = historyOf(work.history);
      return () => client.prompt().messages(history).user(QUESTION).call().content();
    },

    async texts(work): Promise<Texts> {
      const client = await streamingClient(work);
      return () => client.prompt(QUESTION).stream().content();
    },

    async stream(work): Promise<AskStreaming> {
      const client = await streamingClient(work);
      return (onFirst) =>
        new Promise((resolve, reject) => {
          let count = 0;
          client
            .prompt(QUESTION)
            .stream()
            .content()
            .subscribe({
              next: () => {
                if (count++ === 0) onFirst();
              },
              error: reject,
              complete: () => resolve(count),
            });
        });
    },
  };
}

export const contestant = createContestant('nestor', {
  turnModelOf: (work) => new TurnModel(work),
  streamingModelOf: (work) => new StreamingModel(work),
});
