import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ClientProxy } from '@nestjs/microservices';
import { checkTimeout, settledWithin } from '@nestor-ai/core/internal';
import { Envelopes } from '../wire/envelopes.js';
import { DEFAULT_NAMESPACE, MAX_TIME } from '../wire/messages.js';
import { RefusalLog } from '../wire/refusal-log.js';
import { createClient, type TransportClient } from './create-client.js';
import { REMOTE_TOOLS_OPTIONS } from './remote-tools.module-definition.js';
import { DEFAULT_INTERVAL, DEFAULT_TTL, type RemoteToolsModuleOptions } from './remote-tools.options.js';
import { ServiceDirectory } from './service-directory.js';
import { ServiceWatch } from './service-watch.js';

/** How long the first request waits for the first answer of a service, in milliseconds. */
const FIRST_ANSWER = 1000;

/** The services of one transport: who runs, and how to reach it. */
@Injectable()
export class RemoteServices implements OnModuleInit, OnApplicationShutdown {
  readonly #refusals = new RefusalLog(new Logger('RemoteToolsModule'));
  readonly directory: ServiceDirectory;
  readonly envelopes: Envelopes;
  readonly namespace: string;
  readonly ttl: number;
  readonly #interval: number;
  #client: TransportClient | undefined;
  #watch: ServiceWatch | undefined;

  /** @throws TypeError if a secret is missing or too short; RangeError if a time is none */
  constructor(
    private readonly container: ModuleRef,
    @Inject(REMOTE_TOOLS_OPTIONS) private readonly options: RemoteToolsModuleOptions,
  ) {
    const { namespace = DEFAULT_NAMESPACE, ttl = DEFAULT_TTL, interval = DEFAULT_INTERVAL, timeout } = options;
    for (const [name, time] of Object.entries({ ttl, interval, timeout }))
      checkTimeout(time, `${name} of RemoteToolsModule`);
    this.envelopes = new Envelopes('RemoteToolsModule', options);
    this.namespace = namespace;
    this.ttl = Math.min(ttl, MAX_TIME);
    this.directory = new ServiceDirectory(this.ttl);
    // A process that runs has to be asked before it counts as silent.
    this.#interval = Math.min(interval, this.ttl / 2);
  }

  /** @throws TypeError if the option `transport` is no client */
  onModuleInit(): void {
    this.#client = createClient(this.options.transport, this.container);
    this.#watch = new ServiceWatch({
      proxy: this.proxy,
      envelopes: this.envelopes,
      namespace: this.namespace,
      interval: this.#interval,
      directory: this.directory,
      onRefused: (error) => this.#refusals.warn('The tools of a service are not used.', error),
    });
    this.#watch.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#watch?.stop();
    if (this.#client?.isOwn) await this.#client.proxy.close();
  }

  get proxy(): ClientProxy {
    return this.#client!.proxy;
  }

  /** Why no service can be reached. Undefined if they can. */
  get failure(): string | undefined {
    return this.#watch?.failure;
  }

  /** Waits until the first service has answered, but not for long. */
  async untilFirstAnswer(): Promise<void> {
    if (this.#watch) await settledWithin([this.#watch.firstAnswer], FIRST_ANSWER);
  }
}
