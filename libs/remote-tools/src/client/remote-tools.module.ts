import { type DynamicModule, Module } from '@nestjs/common';
import { TurnPrincipal } from '@nestor-ai/core';
import { RemoteServices } from './remote-services.js';
import { RemoteToolCallbackProvider } from './remote-tool-callback.provider.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableRemoteToolsModule,
  type OPTIONS_TYPE,
  REMOTE_TOOLS_OPTIONS,
} from './remote-tools.module-definition.js';
import type { RemoteToolsModuleOptions } from './remote-tools.options.js';

/**
 * Adds the tools of other services to the tools of the application. Services come and go with
 * their tools. Register it once for each transport.
 *
 * @example
 * imports: [
 *   ClientsModule.register([{ name: 'SERVICES', transport: Transport.NATS }]),
 *   RemoteToolsModule.register({ transport: 'SERVICES', secret: process.env.REMOTE_TOOLS_SECRET }),
 * ]
 */
@Module({})
export class RemoteToolsModule extends ConfigurableRemoteToolsModule {
  /** Configures the module with options that you know when you write the module. */
  static override register(options: typeof OPTIONS_TYPE): DynamicModule {
    return complete(super.register(options));
  }

  /**
   * Configures the module with options from a factory or a class. They can inject the exports of
   * `imports`.
   */
  static override registerAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return complete(super.registerAsync(options));
  }
}

function complete(definition: DynamicModule): DynamicModule {
  return {
    ...definition,
    providers: [
      ...(definition.providers ?? []),
      RemoteServices,
      {
        // Made by a factory: Nestor takes a class that several modules provide as one provider.
        provide: RemoteToolCallbackProvider,
        inject: [RemoteServices, REMOTE_TOOLS_OPTIONS, { token: TurnPrincipal, optional: true }],
        useFactory: (services: RemoteServices, options: RemoteToolsModuleOptions, principal?: TurnPrincipal) =>
          new RemoteToolCallbackProvider(services, options, principal),
      },
    ],
    exports: [RemoteToolCallbackProvider],
  };
}
