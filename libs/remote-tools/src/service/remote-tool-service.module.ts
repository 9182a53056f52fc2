import { type DynamicModule, Module } from '@nestjs/common';
import { DEFAULT_NAMESPACE } from '../wire/messages.js';
import { createRemoteToolsController } from './remote-tools-controller.factory.js';
import { OpenChannels } from './open-channels.js';
import { RemoteToolListing } from './remote-tool-listing.js';
import {
  ConfigurableRemoteToolServiceModule,
  type OPTIONS_TYPE,
  type RemoteToolServiceModuleAsyncOptions,
} from './remote-tool-service.module-definition.js';
import type { RemoteToolServiceModuleExtras } from './remote-tool-service.options.js';
import { ReceivedCalls } from './received-calls.js';
import { ServiceApplication } from './service-application.js';
import { ServiceEnvelopes } from './service-envelopes.js';
import { ServiceIdentity } from './service-identity.js';
import { ToolAnnouncements } from './tool-announcements.js';

/**
 * Lets other applications call the tools of a microservice that have `@Tool({ remote: true })`,
 * over the transports of the microservice. Guards, validation, limits and audit are those of a
 * model's call.
 *
 * @example
 * imports: [AiModule.forRoot(), RemoteToolServiceModule.register({ service: 'orders', secret })]
 */
@Module({})
export class RemoteToolServiceModule extends ConfigurableRemoteToolServiceModule {
  /**
   * Configures the service with options that you know when you write the module.
   *
   * @throws TypeError if the name of the service cannot be used
   */
  static override register(options: typeof OPTIONS_TYPE): DynamicModule {
    return complete(super.register(options), options);
  }

  /**
   * Configures the service with options from a factory or a class. `service` and `namespace` stand
   * beside the factory.
   *
   * @throws TypeError if the name of the service cannot be used
   */
  static override registerAsync(options: RemoteToolServiceModuleAsyncOptions): DynamicModule {
    return complete(super.registerAsync(options), options);
  }
}

function complete(definition: DynamicModule, { service, namespace }: RemoteToolServiceModuleExtras): DynamicModule {
  const identity = new ServiceIdentity(service ?? '', namespace ?? DEFAULT_NAMESPACE);
  return {
    ...definition,
    controllers: [createRemoteToolsController(identity)],
    providers: [
      ...(definition.providers ?? []),
      { provide: ServiceIdentity, useValue: identity },
      ServiceApplication,
      ServiceEnvelopes,
      RemoteToolListing,
      ReceivedCalls,
      OpenChannels,
      ToolAnnouncements,
    ],
  };
}
