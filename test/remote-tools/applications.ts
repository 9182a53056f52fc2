import { randomUUID } from 'node:crypto';
import type { INestApplication, Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule } from '@nestor-ai/core';
import {
  RemoteToolServiceModule,
  RemoteToolsModule,
  type RemoteToolServiceModuleOptions,
  type RemoteToolsModuleOptions,
} from '@nestor-ai/remote-tools';
import type { ScriptEntry } from '@nestor-ai/testing';
import { type Scene, startApplication } from '../nest/application.js';
import { SECRET } from './secret.js';
import { ShopTools } from './shop-tools.js';
import { type TestTransport, withOwnQueue } from './transports.js';

/** The user of the tests, as an authentication guard leaves it. */
export const alice = { user: { id: 'alice', roles: ['clerk'] } };
export const admin = { user: { id: 'root', roles: ['admin'] } };

export interface ServiceOptions extends Partial<RemoteToolServiceModuleOptions> {
  readonly service?: string;
  readonly namespace?: string;
  readonly tools?: never;
  readonly providers?: Provider[];
}

/** Starts applications that see each other, and no others. */
export class Stage {
  readonly namespace = `test.${randomUUID()}`;
  readonly #services: INestApplication[] = [];

  readonly transport: TestTransport;

  constructor(transport: TestTransport) {
    this.transport = withOwnQueue(transport);
  }

  /** A process of a service, which does not listen yet. */
  async prepare({
    service = 'shop',
    providers = [ShopTools],
    ...options
  }: ServiceOptions = {}): Promise<INestApplication> {
    const module = await Test.createTestingModule({
      imports: [
        AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }),
        RemoteToolServiceModule.register({
          service,
          namespace: this.namespace,
          secret: SECRET,
          heartbeat: 100,
          ...options,
        }),
      ],
      providers,
    }).compile();
    const app = module.createNestApplication({ logger: false });
    app.connectMicroservice(this.transport.server, { inheritAppConfig: true });
    this.#services.push(app);
    return app;
  }

  async service(options?: ServiceOptions): Promise<INestApplication> {
    const app = await this.prepare(options);
    await app.startAllMicroservices();
    return app;
  }

  /** An application with a model that calls the tools of the services. */
  caller(
    script: readonly ScriptEntry[] = [],
    options: Partial<RemoteToolsModuleOptions> = {},
    aiOptions: Parameters<typeof AiModule.forRoot>[0] = {},
  ): Promise<Scene> {
    return startApplication(
      {
        imports: [
          RemoteToolsModule.register({
            transport: this.transport.client,
            namespace: this.namespace,
            secret: SECRET,
            interval: 200,
            ttl: 5000,
            trusted: true,
            identity: (request) => ({ roles: (request as typeof alice | undefined)?.user.roles ?? [] }),
            ...options,
          }),
        ],
      },
      script,
      aiOptions,
    );
  }

  /** Shuts one service down. */
  async stop(app: INestApplication): Promise<void> {
    this.#services.splice(this.#services.indexOf(app), 1);
    await app.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((app) => app.close()));
  }
}
