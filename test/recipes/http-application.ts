import { afterAll } from '@jest/globals';
import type { INestApplication, ModuleMetadata, NestApplicationOptions } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AiModule, type ChatModel } from '@nestor-ai/core';

const started: INestApplication[] = [];
afterAll(async () => {
  for (const app of started.splice(0)) await app.close();
});

interface HttpScene {
  readonly app: INestApplication;
  readonly url: string;
}

interface HttpOptions extends NestApplicationOptions {
  readonly adapter?: AbstractHttpAdapter;
  readonly configure?: (app: INestApplication) => unknown;
  /** The options of `AiModule`, beside the model. */
  readonly ai?: Parameters<typeof AiModule.forRoot>[0];
}

/** A whole Nest application with AiModule that listens on loopback. It is closed when the tests of the file have run. */
export async function serve(
  chatModel: ChatModel,
  { imports = [], ...metadata }: ModuleMetadata,
  { adapter, configure, ai, ...options }: HttpOptions = {},
): Promise<HttpScene> {
  const builder = Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel, ...ai }), ...imports],
    ...metadata,
  });
  const module = await builder.compile();
  const all = { logger: false as const, forceCloseConnections: true, ...options };
  const app = adapter
    ? module.createNestApplication(adapter, all)
    : module.createNestApplication(all);
  configure?.(app);
  await app.listen(0, '127.0.0.1');
  started.push(app);
  return { app, url: await app.getUrl() };
}

/** One server-sent event. */
export interface ServerSentEvent {
  readonly type: string;
  readonly data: unknown;
}

/** Reads server-sent events as they come. Leaving the loop closes the connection. */
export async function* eventsOf(
  url: string,
  init: RequestInit = {},
): AsyncGenerator<ServerSentEvent> {
  const gone = new AbortController();
  try {
    const response = await fetch(url, { ...init, signal: gone.signal });
    let text = '';
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split('\n\n');
      text = blocks.pop()!;
      yield* blocks.flatMap(toEvent);
    }
  } finally {
    gone.abort();
  }
}

/** All events until the server ends the stream. */
export async function allEvents(url: string, init?: RequestInit): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of eventsOf(url, init)) events.push(event);
  return events;
}

function toEvent(block: string): ServerSentEvent[] {
  const fields = block
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const valueOf = (name: string): string =>
    fields.flatMap(([key, value]) => (key === name ? [value] : [])).join('\n');
  const data = valueOf('data');
  if (data === '') return [];
  return [
    {
      type: valueOf('event') || 'message',
      data: data.startsWith('{') ? (JSON.parse(data) as unknown) : data,
    },
  ];
}

/** Something that a test waits for. */
export function signalled<T = void>(): {
  readonly seen: Promise<T>;
  readonly give: (value: T) => void;
} {
  let give!: (value: T) => void;
  const seen = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { seen, give };
}
