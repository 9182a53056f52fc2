import { type DynamicModule, Module, type Provider } from '@nestjs/common';
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

/** A client whose options a factory returns. Its advisors may be instances in code that is not typed. */
type GivenClient = Pick<NamedClient, 'name' | 'advisors'> & Pick<NamedClientAsync, 'inject' | 'useFactory'>;

/** The module of one `AiModule.forFeature()`. */
@Module({})
export class AiFeatureModule {
  static of(clients: NamedClient | readonly NamedClient[], context: NamedClientSurroundings): DynamicModule {
    const given = [clients].flat().map((client: NamedClient) => ({
      ...client, // Nest may tell modules apart by their contents.
      name: client.name,
      advisors: client.advisors ?? [],
      inject: [],
      useFactory: () => client,
    }));
    return AiFeatureModule.ofAsync(given, context);
  }

  static ofAsync(
    given: GivenClient | readonly GivenClient[],
    { imports = [], providers = [] }: NamedClientSurroundings,
  ): DynamicModule {
    const clients: GivenClient[] = [given].flat();
    const others = new Set<Provider>([...clients.flatMap(advisorClassesOf), ...providers]);
    return {
      module: AiFeatureModule,
      imports,
      providers: [{ provide: NAMED_CLIENTS, useValue: clients }, ...others, ...clients.map(clientProvider)],
      exports: clients.map((client) => getChatClientToken(clientNameOf(client))),
    };
  }
}

function clientProvider(client: GivenClient): Provider {
  const name = clientNameOf(client);
  const classes = advisorClassesOf(client);
  return {
    provide: getChatClientToken(name),
    inject: [AI_CLIENTS, ...classes, ...(client.inject ?? [])],
    useFactory: (clients: ChatClientFactory, ...given: unknown[]): Promise<ChatClient | undefined> =>
      clients.attempt(name, async () => {
        const instances = new Map(classes.map((type, index) => [type, given[index] as Advisor]));
        const made: unknown = await client.useFactory(...(given.slice(classes.length) as never[]));
        if (typeof made !== 'object' || made === null) {
          throw new TypeError('useFactory returned no options. Return at least {}.');
        }
        const { advisors: returned = [], ...options } = made as NamedClientOptions;
        const unmade = returned.filter(isClass).filter((type) => !instances.has(type));
        if (unmade.length > 0) {
          const names = unmade.map(({ name }) => name).join(', ');
          throw new TypeError(
            `useFactory returned the class ${names} as an advisor. List advisor classes in advisors, next to useFactory.`,
          );
        }
        const advisors = [...new Set([...(client.advisors ?? []), ...returned])].map((advisor) =>
          isClass(advisor) ? instances.get(advisor)! : advisor,
        );
        return clients.named(name, { ...options, advisors });
      }),
  };
}

function advisorClassesOf({ advisors = [] }: Pick<NamedClient, 'advisors'>): AdvisorClass[] {
  return advisors.filter(isClass);
}

function isClass(advisor: Advisor | AdvisorClass): advisor is AdvisorClass {
  return typeof advisor === 'function';
}
