import 'reflect-metadata';
import { Injectable, type InjectionToken } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ChatClient, ChatClientBuilder } from '../../client/chat-client.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { findProviderHosts, type ProviderHost } from '../hosts/provider-host.js';
import { ClientProperties } from '../properties/client-properties.js';
import { getChatClientToken } from '../decorators/inject-chat-client.decorator.js';
import { NamedClientCheck } from './named-client.check.js';

/** Nest's keys for what a constructor and the properties of a class are given, and what of it may be missing. */
const KEYS = {
  types: 'design:paramtypes',
  parameters: 'self:paramtypes',
  optionalParameters: 'optional:paramtypes',
  properties: 'self:properties_metadata',
  optionalProperties: 'optional:properties_metadata',
} as const;

/** Finds who injects a client that is turned off: Nest would give `undefined`, to be found out at the first request. */
@Injectable()
export class MissingClients {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly properties: ClientProperties,
    private readonly namedClients: NamedClientCheck,
    private readonly problems: BootstrapProblems,
  ) {}

  /** Adds who injects a client that is turned off to the problems of the bootstrap. */
  run(): void {
    const missing = this.#missing();
    if (missing.size === 0) return;
    for (const host of findProviderHosts(this.discovery)) {
      for (const token of requiredBy(host)) {
        const key = missing.get(token);
        // A module may have a client of its own.
        if (key === undefined || host.wrapper.host?.providers.has(token as InjectionToken)) continue;
        this.problems.add(
          `${host.type.name} in ${host.moduleName} injects a client that ${key}=false turns off. Inject it with @Optional(), or turn it on.`,
        );
      }
    }
  }

  /** The tokens of clients that are turned off, with the property that does it. */
  #missing(): Map<unknown, string> {
    const key = 'ai.chat.client.enabled';
    // The application may have given one to AiModule itself.
    const isThere = (token: unknown): boolean =>
      this.discovery
        .getProviders()
        .some(
          ({ token: other, instance, host }) => other === token && instance && host?.providers.has(BootstrapProblems),
        );
    const turnedOff = this.properties.ofDefault.enabled ? [] : [ChatClient, ChatClientBuilder];
    const missing = new Map<unknown, string>(turnedOff.filter((token) => !isThere(token)).map((token) => [token, key]));
    for (const name of this.namedClients.names) {
      if (!this.properties.of(name).enabled) missing.set(getChatClientToken(name), `ai.clients.${name}.enabled`);
    }
    return missing;
  }
}

/** What a class cannot be made without. */
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

/** The token itself; undefined for one that may be missing. */
function requiredToken(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { forwardRef, token, optional } = given as { forwardRef?: () => unknown; token?: unknown; optional?: boolean };
  if (typeof forwardRef === 'function') return forwardRef();
  return optional ? undefined : token;
}
