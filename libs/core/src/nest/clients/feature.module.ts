import { type DynamicModule, type InjectionToken, Module, type Provider } from '@nestjs/common';
import type { Advisor } from '../../advisor/advisor.js';
import type { ChatClient } from '../../client/chat-client.js';
import { AI_CLIENTS, type ChatClientFactory } from './chat-client.factory.js';
import { getChatClientToken } from '../decorators/inject-chat-client.decorator.js';
import {
  clientNameOf,
  type NamedClient,
  type NamedClientAsync,
  type NamedClientOptions,
  type NamedClientSurroundings,
} from './named-client.js';

/** The token of the clients that a module declares. The bootstrap rules read them. */
export const NAMED_CLIENTS: unique symbol = Symbol('nestor.NamedClients');

type AdvisorClass = Extract<NonNullable<NamedClient['advisors']>[number], new (...args: never[]) => unknown>;

type GivenClient = Pick<NamedClient, 'name' | 'advisors'>;

/** The module of one `AiModule.forFeature()`. */
@Module({})
export class AiFeatureModule {
  static of(clients: NamedClient | readonly NamedClient[], context: NamedClientSurroundings): DynamicModule {
    return assemble(clients, context, (client) => clientProvider(client, [], () => client));
  }

  static ofAsync(
    clients: NamedClientAsync | readonly NamedClientAsync[],
    context: NamedClientSurroundings,
  ): DynamicModule {
    return assemble(clients, context, (client) =>
      clientProvider(client, client.inject ?? [], async (...injected) => {
        const made: unknown = await client.useFactory(...(injected as never[]));
        if (typeof made !== 'object' || made === null) {
          throw new TypeError('useFactory returned no options. Return at least {}.');
        }
        const { advisors = [], ...options } = made as NamedClientOptions;
        const unmade = advisors.filter(isClass).filter((type) => !client.advisors?.includes(type));
        if (unmade.length > 0) {
          const names = unmade.map(({ name }) => name).join(', ');
          throw new TypeError(
            `useFactory returned the class ${names} as an advisor. List advisor classes in advisors, next to useFactory.`,
          );
        }
        return { ...options, advisors: [...new Set([...(client.advisors ?? []), ...advisors])] };
      }),
    );
  }
}

function assemble<Client extends GivenClient>(
  given: Client | readonly Client[],
  { imports = [], providers = [] }: NamedClientSurroundings,
  make: (client: Client) => Provider,
): DynamicModule {
  const clients = [given].flat() as Client[];
  const others = new Set<Provider>([...clients.flatMap(advisorClassesOf), ...providers]);
  return {
    module: AiFeatureModule,
    imports,
    providers: [{ provide: NAMED_CLIENTS, useValue: clients }, ...others, ...clients.map(make)],
    exports: clients.map((client) => getChatClientToken(clientNameOf(client))),
  };
}

function clientProvider(
  client: GivenClient,
  inject: readonly InjectionToken[],
  optionsOf: (...injected: unknown[]) => NamedClientOptions | Promise<NamedClientOptions>,
): Provider {
  const name = clientNameOf(client);
  const classes = advisorClassesOf(client);
  return {
    provide: getChatClientToken(name),
    inject: [AI_CLIENTS, ...classes, ...inject],
    useFactory: (clients: ChatClientFactory, ...given: unknown[]): Promise<ChatClient | undefined> =>
      clients.attempt(name, async () => {
        const instances = new Map(classes.map((type, index) => [type, given[index] as Advisor]));
        const options = await optionsOf(...given.slice(classes.length));
        const advisors = (options.advisors ?? []).map((advisor) =>
          isClass(advisor) ? instances.get(advisor)! : advisor,
        );
        return clients.named(name, { ...options, advisors });
      }),
  };
}

function advisorClassesOf({ advisors = [] }: GivenClient): AdvisorClass[] {
  return advisors.filter(isClass);
}

function isClass(advisor: Advisor | AdvisorClass): advisor is AdvisorClass {
  return typeof advisor === 'function';
}
