import { Inject, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { readSafely } from '@nestor-ai/schema';
import { SuspendedTurnRepository } from '../../memory/suspended-turn.repository.js';
import type { ChatModel } from '../../model/chat-model.js';
import { ApplicationModels } from '../clients/application-models.js';
import { AI_CHAT_MODEL, ChatClientFactory, type MadeClient } from '../clients/chat-client.factory.js';
import { NAMED_CLIENTS } from '../clients/feature.module.js';
import { clientNameOf, type NamedClient } from '../clients/named-client.js';
import { Extensions } from '../extensions/extensions.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { AdvisorExplorer } from '../discovery/advisor.explorer.js';
import { INCLUDED_MODULES, ToolRegistry } from '../discovery/tool.registry.js';
import { TOOL_SUBSTITUTES, type ToolSubstitutes } from '../invocation/tool-instances.js';
import { type InstanceWrapper, ProviderHosts } from '../hosts/provider-host.js';
import { AttachedTypes } from '../plugin-metadata/plugin-metadata.js';
import { AI_MODULE_OPTIONS, type AiModuleOptions, propertiesOf } from '../ai.module-definition.js';
import { AiProperties, type AiPropertiesInit } from '../properties/ai-properties.js';
import { ClientProperties } from '../properties/client-properties.js';
import { CONFIGURATION, type PropertySource } from '../properties/property-source.js';
import { ToolProperties } from '../properties/tool-properties.js';

/** The application as `AiModule` sees it. The bootstrap rules check it. */
@Injectable()
export class AiApplication {
  #namedClients: readonly string[] | undefined;

  constructor(
    readonly hosts: ProviderHosts,
    readonly properties: AiProperties,
    readonly toolProperties: ToolProperties,
    readonly clients: ClientProperties,
    readonly registry: ToolRegistry,
    readonly advisors: AdvisorExplorer,
    readonly extensions: Extensions,
    readonly problems: BootstrapProblems,
    readonly models: ApplicationModels,
    readonly types: AttachedTypes,
    private readonly moduleRef: ModuleRef,
    @Inject(AI_CHAT_MODEL) readonly chatModel: ChatModel,
    @Inject(AI_MODULE_OPTIONS) private readonly options: AiModuleOptions | undefined,
    @Inject(CONFIGURATION) readonly configuration: PropertySource | undefined,
    @Inject(TOOL_SUBSTITUTES) readonly substitutes: ToolSubstitutes,
    @Inject(INCLUDED_MODULES) readonly included: readonly (Type | undefined)[] = [],
  ) {}

  /** The properties set in code. */
  get given(): AiPropertiesInit | undefined {
    return propertiesOf(this.options);
  }

  /** The names of the clients of `AiModule.forFeature()`. A name can occur twice. */
  get namedClients(): readonly string[] {
    return (this.#namedClients ??= this.hosts
      .of(NAMED_CLIENTS)
      .flatMap(({ instance }) => (instance as readonly NamedClient[]).map(clientNameOf)));
  }

  /** The names of all clients, including `default`, the client that is injected as `ChatClient`. */
  get clientNames(): readonly string[] {
    return [...new Set([DEFAULT_CHAT_CLIENT, ...this.namedClients])];
  }

  /** The names of all clients that are not turned off. */
  get enabledClients(): readonly string[] {
    return this.clientNames.filter((name) => this.clients.of(name).enabled);
  }

  /** Undefined if a dependency is request-scoped. Another rule reports that. */
  get clientFactory(): ChatClientFactory | undefined {
    return readSafely(() => this.moduleRef.get<ChatClientFactory>(ChatClientFactory, { strict: true }));
  }

  /** Undefined if it is request-scoped. */
  get suspendedTurns(): SuspendedTurnRepository | undefined {
    return readSafely(() => this.moduleRef.get<SuspendedTurnRepository>(SuspendedTurnRepository, { strict: true }));
  }

  /** The clients that exist: the injected `ChatClient` and the named clients. */
  get madeClients(): readonly MadeClient[] {
    const { chatModel, advisors, clients } = this;
    const ofDefault = { name: DEFAULT_CHAT_CLIENT, tools: [], chatModel, advisors: advisors.of(DEFAULT_CHAT_CLIENT) };
    return [...(clients.ofDefault.enabled ? [ofDefault] : []), ...(this.clientFactory?.made ?? [])];
  }

  /** Finds tools and advisors again when all providers exist. */
  explore(): void {
    this.hosts.complete();
    this.registry.refresh();
    this.advisors.refresh();
  }
}

/**
 * Whether a provider belongs to AiModule or to a class that extends it. Only these provide
 * `BootstrapProblems`.
 */
export function isOfAiModule({ host }: InstanceWrapper): boolean {
  return host?.providers.has(BootstrapProblems) === true;
}
