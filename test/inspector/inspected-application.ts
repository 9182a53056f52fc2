import type { INestApplication, ModuleMetadata, Type } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AiModule, type ChatModel } from '@nestor-ai/core';
import { AiInspectorModule } from '@nestor-ai/inspector';
import { ConfigModule } from '@nestjs/config';

type InspectorOptions = NonNullable<Parameters<typeof AiInspectorModule.forRoot>[0]>;

/** A testing module has no file. */
const TESTED = { name: 'AppModule', from: '../../src/app.module.js' };

/** What an application with the inspector is made of. */
export interface InspectedOptions extends ModuleMetadata {
  readonly chatModel: ChatModel;
  readonly inspector?: InspectorOptions;
  /** Whether contents are shown. Default: true. `null`: the configuration does not say it. */
  readonly content?: boolean | null;
  readonly ai?: Parameters<typeof AiModule.forRoot>[0];
  readonly platform?: 'express' | 'fastify';
  /** Default: one that is free. */
  readonly port?: number;
  /** Changes the application before it starts. */
  readonly configure?: (app: INestApplication) => void;
}

/** An application with the inspector, which listens on loopback. */
export class InspectedApplication {
  private constructor(
    readonly app: INestApplication,
    readonly origin: string,
    /** The address that the application has logged. Undefined if the page has guards, or is off. */
    readonly address: string | undefined,
  ) {}

  static async start({
    chatModel,
    inspector,
    content = true,
    ai,
    platform = 'express',
    port = 0,
    configure,
    ...metadata
  }: InspectedOptions): Promise<InspectedApplication> {
    const configuration = ConfigModule.forRoot({
      isGlobal: true,
      ignoreEnvFile: true,
      ignoreEnvVars: true,
      load: [() => ({ ai: { ...(content !== null && { inspector: { content } }) } })],
    });
    const logged: string[] = [];
    const ignore = (): void => undefined;
    const testing = await Test.createTestingModule({
      ...metadata,
      imports: [
        configuration,
        AiModule.forRoot({ chatModel, ...ai }),
        AiInspectorModule.forRoot({ testedModule: TESTED, ...inspector }),
        ...(metadata.imports ?? []),
      ],
    })
      .setLogger({ log: (text: unknown) => void logged.push(String(text)), warn: ignore, error: ignore })
      .compile();
    const adapter = platform === 'fastify' ? [new FastifyAdapter()] : [];
    const app = testing.createNestApplication<INestApplication>(...(adapter as []));
    configure?.(app);
    await app.listen(port, '127.0.0.1');
    const bound = app.getHttpServer().address() as { port: number };
    const address = logged.flatMap((line) => /The inspector is at (\S+)/.exec(line)?.[1] ?? []).at(-1);
    return new InspectedApplication(app, `http://127.0.0.1:${bound.port}`, address);
  }

  get<T>(token: Type<T> | string): T {
    return this.app.get<T>(token, { strict: false });
  }

  /** What the API needs of requests. */
  get header(): Readonly<Record<string, string>> {
    return { 'x-nestor-inspector': (this.address && new URL(this.address).searchParams.get('token')) ?? '1' };
  }

  /** A request of the page. */
  request(
    path: string,
    { body, headers = {}, method }: { body?: unknown; headers?: Record<string, string>; method?: string } = {},
  ) {
    return fetch(`${this.origin}/${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...this.header,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** The answer to a request of the page, as JSON. */
  async json<T = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const response = await this.request(`ai/api/${path}`, {
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** The turns on the page, the newest first. */
  async turns<T = { readonly id: string }>(query = '', headers?: Record<string, string>): Promise<readonly T[]> {
    return (await this.json<{ turns: readonly T[] }>(`turns${query}`, undefined, headers)).turns;
  }

  /** Runs a turn of the page. Returns its id, its events and the whole text. */
  async run(path: string, body: object, headers?: Record<string, string>) {
    const response = await this.request(`ai/api/${path}`, { body, ...(headers && { headers }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    const events = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string; id?: string; text?: string });
    return { id: events.find(({ type }) => type === 'turn')?.id ?? '', events, text };
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** The body of a question in the chat. */
export const question = (message: string, more: object = {}): object => ({
  client: 'default',
  message,
  conversation: 'c1',
  ...more,
});
