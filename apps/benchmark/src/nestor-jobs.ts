/* The same jobs with a Nest application that imports AiModule: tools are methods of a provider. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AiModule,
  AssistantMessage,
  ChatClient,
  ChatModel,
  ChatResponse,
  FunctionToolCallback,
  type Message,
  offeredToolDefinitions,
  type Prompt,
  Tool,
  type ToolCall,
} from '@nestor-ai/core';
import { Observable } from 'rxjs';
import { ARGUMENTS, catalogue, CHUNKS, citySchema, FINAL, type Jobs, QUESTION, sleep, weather } from './harness.js';

const results = (messages: readonly Message[]): number =>
  messages.reduce((count, message) => count + (message.role === 'tool' ? message.responses.length : 0), 0);

const calls = (from: number, count: number): ToolCall[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `call_${from + index}`,
    name: 'get_weather',
    arguments: ARGUMENTS,
  }));

class BenchmarkModel extends ChatModel {
  constructor(
    private readonly rounds: number,
    private readonly parallel: number,
  ) {
    super();
  }

  async call({ messages, options }: Prompt): Promise<ChatResponse> {
    // What every real model needs first: the definitions to send.
    offeredToolDefinitions(options);
    const done = results(messages);
    const output =
      done < this.rounds * this.parallel
        ? new AssistantMessage({ toolCalls: calls(done, this.parallel) })
        : new AssistantMessage({ text: FINAL });
    return new ChatResponse({ results: [{ output }] });
  }

  stream({ messages, options }: Prompt): Observable<ChatResponse> {
    offeredToolDefinitions(options);
    return new Observable((subscriber) => {
      void this.#emit(messages, (init) =>
        subscriber.next(new ChatResponse({ results: [{ output: new AssistantMessage(init) }] })),
      ).then(() => subscriber.complete());
    });
  }

  /** Chunk by chunk, as the generator of the hand-written loop is. */
  async #emit(
    messages: readonly Message[],
    emit: (init: { text?: string; toolCalls?: ToolCall[] }) => void,
  ): Promise<void> {
    if (results(messages) === 0) emit({ toolCalls: calls(0, 1) });
    else {
      for (let index = 0; index < CHUNKS; index++) {
        await undefined;
        emit({ text: `w${index} ` });
      }
    }
  }
}

@Injectable()
class WeatherTools {
  @Tool({ name: 'get_weather', description: 'Get the weather of a city', inputSchema: citySchema })
  async getWeather({ city }: { city: string }): Promise<object> {
    return weather(city);
  }
}

@Injectable()
class SlowWeatherTools {
  @Tool({ name: 'get_weather', description: 'Get the weather of a city', inputSchema: citySchema })
  async getWeather({ city }: { city: string }): Promise<object> {
    await sleep(20);
    return weather(city);
  }
}

async function clientOf(model: ChatModel, tools: new () => object): Promise<ChatClient> {
  @Module({ imports: [AiModule.forRoot({ chatModel: model })], providers: [tools] })
  class BenchmarkModule {}
  const app = await NestFactory.createApplicationContext(BenchmarkModule, { logger: false });
  return app.get(ChatClient);
}

const ask = (client: ChatClient) => async (): Promise<string> => (await client.prompt(QUESTION).call().content())!;

/** The jobs, on applications and clients that are made once. */
export async function createJobs(): Promise<Jobs> {
  const streaming = await clientOf(new BenchmarkModel(1, 1), WeatherTools);
  const many = ChatClient.builder(new BenchmarkModel(1, 1))
    .defaultTools(
      catalogue.map(
        ({ name, description, schema }) =>
          new FunctionToolCallback({
            name,
            description,
            inputSchema: schema,
            toolFunction: async ({ city }) => weather(city as string),
          }),
      ),
    )
    .build();

  return {
    a: ask(await clientOf(new BenchmarkModel(1, 1), WeatherTools)),
    b: ask(await clientOf(new BenchmarkModel(10, 1), WeatherTools)),
    c: ask(await clientOf(new BenchmarkModel(1, 8), SlowWeatherTools)),
    e: ask(many),
    d: (onFirst) =>
      new Promise((resolve, reject) => {
        let count = 0;
        streaming
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
      }),
  };
}
