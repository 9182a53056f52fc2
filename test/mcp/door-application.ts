import { afterAll } from '@jest/globals';
import { Injectable, type INestApplication, type ModuleMetadata, type NestApplicationOptions } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AiModule, Tool, ToolContext } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { type McpCaller, McpFeature, McpServerModule } from '@nestor-ai/mcp';
import type { AuthInfo, Server } from '@modelcontextprotocol/server';

export const PLATFORMS = {
  express: () => new ExpressAdapter(),
  fastify: () => new FastifyAdapter(),
} satisfies Record<string, () => AbstractHttpAdapter>;

export type Platform = keyof typeof PLATFORMS;
export const platforms = Object.keys(PLATFORMS) as Platform[];

type McpOptions = Parameters<typeof McpServerModule.forRoot>[0];

/** A feature of the application that offers nothing, and sees who is served. */
@Injectable()
export class Witness extends McpFeature {
  readonly capabilities = { experimental: { witness: {} } };
  readonly callers: McpCaller[] = [];

  serve(_server: Server, caller: McpCaller): void {
    this.callers.push(caller);
  }
}

/** `whoami` tells who calls. `wait` reports progress of a given size, and runs until it is aborted. */
@Injectable()
export class DoorTools {
  readonly aborted: Promise<void>;
  readonly running: Promise<void>;
  #abort!: () => void;
  #run!: () => void;

  constructor() {
    this.aborted = new Promise((resolve) => {
      this.#abort = resolve;
    });
    this.running = new Promise((resolve) => {
      this.#run = resolve;
    });
  }

  @Tool({ mcp: true })
  whoami({ turn }: ToolContext): string {
    return String((turn.request as { auth?: AuthInfo }).auth?.clientId);
  }

  @Tool({ mcp: true })
  async wait(context: ToolContext, size = 0): Promise<void> {
    context.reportProgress({ progress: 1, message: 'x'.repeat(size) });
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve());
      this.#run();
    });
    this.#abort();
  }
}

const started: INestApplication[] = [];
afterAll(async () => {
  for (const app of started.splice(0)) await app.close();
});

export interface Door {
  readonly app: INestApplication;
  readonly url: string;
  readonly tools: DoorTools;
  /** Who was served, with the newest last. */
  readonly callers: readonly McpCaller[];
}

interface DoorOptions extends ModuleMetadata {
  readonly platform?: Platform;
  /** Replaces the adapter of the platform. */
  readonly adapter?: AbstractHttpAdapter;
  readonly mcp?: McpOptions;
  readonly app?: NestApplicationOptions;
  readonly configure?: (app: INestApplication) => unknown;
}

/** A Nest application with an MCP server that listens on loopback. It is closed when the tests of the file have run. */
export async function openDoor({
  platform = 'express',
  adapter = PLATFORMS[platform](),
  mcp,
  app: options,
  configure,
  ...metadata
}: DoorOptions = {}): Promise<Door> {
  const module = await Test.createTestingModule({
    ...metadata,
    imports: [
      // Calls that run when an application closes are aborted soon.
      AiModule.forRoot({ chatModel: new ScriptedChatModel([]), properties: { shutdown: { drainTimeout: 20 } } }),
      McpServerModule.forRoot(mcp),
      ...(metadata.imports ?? []),
    ],
    providers: [DoorTools, Witness, ...(metadata.providers ?? [])],
  }).compile();
  const app = module.createNestApplication(adapter, { logger: false, ...options });
  configure?.(app);
  await app.listen(0, '127.0.0.1');
  started.push(app);
  return {
    app,
    url: await app.getUrl(),
    callers: app.get(Witness).callers,
    get tools() {
      return app.get(DoorTools);
    },
  };
}
