import type { InjectionToken, ModuleMetadata } from '@nestjs/common';
import type { ClientOptions, ClientProxy } from '@nestjs/microservices';
import type { EnvelopeOptions } from '../wire/envelopes.js';

/** The options of `RemoteToolsModule.register()`. */
export interface RemoteToolsModuleOptions extends EnvelopeOptions {
  /**
   * How to reach the services: the injection token of a client from Nest's `ClientsModule`, the
   * options of a client, or a client.
   */
  readonly transport: InjectionToken | ClientOptions | ClientProxy;
  /**
   * The start of all message patterns. Applications only see each other with the same one.
   * Default: `nestor.tools`.
   */
  readonly namespace?: string;
  /** The name of these services in logs and in `ToolProviderStatus`. Default: `remote tools`. */
  readonly name?: string;
  /**
   * Whether the name of its service, as `orders_`, comes before the name of each tool. Without it,
   * a tool is left out if another service has one of the same name, and an error is logged.
   * Default: false.
   */
  readonly prefix?: boolean;
  /** Whether requests fail while no service can be reached. Default: false. */
  readonly required?: boolean;
  /**
   * Whether to trust the labels and schemas of the services, because you wrote them. If false,
   * their tools are treated like those of a foreign server: they are `untrusted`, and their
   * declared `effect` counts only if it is more serious than `write`. Default: false.
   */
  readonly trusted?: boolean;
  /**
   * Selects what the guards of the services need to know of the caller: plain JSON. They find it
   * in `request.user`, beside the `id` that `TurnPrincipal` gives. Default: nothing.
   */
  readonly identity?: (request: unknown) => Readonly<Record<string, unknown>> | undefined;
  /**
   * The longest time of one call, in milliseconds, for tools that have no `timeout`. Default:
   * 60,000.
   */
  readonly timeout?: number;
  /** How often the services are asked for their tools, in milliseconds: at least twice in `ttl`. Default: 5,000. */
  readonly interval?: number;
  /**
   * How long a process of a service counts as running without a sign of life, in milliseconds.
   * This holds for its tools and for each call. Default: 15,000.
   */
  readonly ttl?: number;
}

/** Further options of `register()` and `registerAsync()`. */
export interface RemoteToolsModuleExtras {
  /** Modules that export the dependencies of `registerAsync()`. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

export const DEFAULT_TIMEOUT = 60_000;
export const DEFAULT_INTERVAL = 5000;
export const DEFAULT_TTL = 15_000;
export const DEFAULT_NAME = 'remote tools';
