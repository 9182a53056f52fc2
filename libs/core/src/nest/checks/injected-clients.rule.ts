import 'reflect-metadata';
import type { InjectionToken } from '@nestjs/common';
import { ChatClient, ChatClientBuilder } from '../../client/chat-client.js';
import { getChatClientToken } from '../decorators/inject-chat-client.decorator.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import { type AiApplication, isOfAiModule } from './ai-application.js';

/** Nest's metadata keys for constructor parameters, injected properties and `@Optional()`. */
const KEYS = {
  types: 'design:paramtypes',
  parameters: 'self:paramtypes',
  optionalParameters: 'optional:paramtypes',
  properties: 'self:properties_metadata',
  optionalProperties: 'optional:properties_metadata',
} as const;

/**
 * Checks that no class injects a client that is turned off. Nest would inject `undefined`, and the
 * first request would fail.
 */
export function checkInjectedClients(application: AiApplication): readonly string[] {
  const turnedOff = keysByToken(application);
  if (turnedOff.size === 0) return [];
  return application.hosts.all.flatMap((host) =>
    requiredBy(host)
      // A module may provide its own client.
      .filter((token) => turnedOff.has(token) && !host.wrapper.host?.providers.has(token as InjectionToken))
      .map(
        (token) =>
          `${host.type.name} in ${host.moduleName} injects a client that ${turnedOff.get(token)}=false turns off. Add @Optional() ` +
          'to the parameter, or turn the client on.',
      ),
  );
}

/** The tokens of clients that are turned off, with the property that turns each off. */
function keysByToken({ hosts, clients, namedClients }: AiApplication): ReadonlyMap<unknown, string> {
  // The application may provide its own client in AiModule.
  const isGiven = (token: unknown): boolean =>
    hosts.of(token).some((wrapper) => wrapper.instance && isOfAiModule(wrapper));
  const ofDefault = clients.ofDefault.enabled ? [] : [ChatClient, ChatClientBuilder].filter((token) => !isGiven(token));
  const named = namedClients.filter((name) => !clients.of(name).enabled);
  return new Map<unknown, string>([
    ...ofDefault.map((token) => [token, 'ai.chat.client.enabled'] as const),
    ...named.map((name) => [getChatClientToken(name), `ai.clients.${name}.enabled`] as const),
  ]);
}

/** The tokens of the required dependencies of a class. */
function requiredBy({ type, isNestMade, wrapper }: ProviderHost): unknown[] {
  if (!isNestMade) return (wrapper.inject ?? []).map(requiredToken);
  const read = <T>(key: string): readonly T[] => (Reflect.getMetadata(key, type) ?? []) as readonly T[];
  const named = new Map(
    read<{ index: number; param: InjectionToken }>(KEYS.parameters).map(({ index, param }) => [index, param]),
  );
  const optional = new Set(read<number>(KEYS.optionalParameters));
  const optionalProperties = new Set(read<string>(KEYS.optionalProperties));
  return [
    ...read<InjectionToken>(KEYS.types).flatMap((parameter, index) =>
      optional.has(index) ? [] : [requiredToken(named.get(index) ?? parameter)],
    ),
    ...read<{ key: string; type: InjectionToken }>(KEYS.properties).flatMap((property) =>
      optionalProperties.has(property.key) ? [] : [requiredToken(property.type)],
    ),
  ];
}

/** The token of a dependency. Undefined if the dependency is optional. */
function requiredToken(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { forwardRef, token, optional } = given as { forwardRef?: () => unknown; token?: unknown; optional?: boolean };
  if (typeof forwardRef === 'function') return forwardRef();
  return optional ? undefined : token;
}
