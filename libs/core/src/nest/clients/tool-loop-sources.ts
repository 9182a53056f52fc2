import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import type { ToolCallingAdvisor } from '../../advisor/tool-calling-advisor.js';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../../advisor/tool-calling-advisor.options.js';
import { AI_MODULE_OPTIONS, type AiModuleOptions } from '../ai.module-definition.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { isMadeLater } from '../hosts/provider-host.js';
import type { ClientSettings } from '../properties/client-properties.js';
import { CONFIGURATION, type PropertySource } from '../properties/property-source.js';
import type { KeyPart } from '../properties/property-spelling.js';
import { booleanProperty } from '../properties/property-types.js';
import { readProperties } from '../properties/read-properties.js';
import { ToolLoopSource, type ToolLoopContext } from './tool-loop-source.js';

/** All loops of another kind that the application has. */
@Injectable()
export class ToolLoopSources {
  #made: ToolLoopContext | undefined;
  #hasProblems = false;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly moduleRef: ModuleRef,
    @Inject(CONFIGURATION) private readonly configuration: PropertySource | undefined,
    @Inject(AI_MODULE_OPTIONS) private readonly given: AiModuleOptions | undefined,
  ) {}

  /**
   * What is wrong with them, or that somebody counts on one that is not there.
   *
   * @param clientNames of all clients that are not turned off
   */
  check(clientNames: readonly string[]): readonly string[] {
    const problems = this.#problemsWith(clientNames);
    this.#hasProblems = problems.length > 0;
    return problems;
  }

  #problemsWith(clientNames: readonly string[]): readonly string[] {
    const later = this.#wrappers.filter(isMadeLater);
    if (later.length > 0) return later.map(({ host }) => madeLater(host?.name));
    const sources = this.#sources;
    if (sources.length > 0) return this.#check(sources, clientNames);
    return [...new Set(clientNames.flatMap((name) => this.#keyOfSearch(name) ?? []))].map(nobodySearches);
  }

  /**
   * Not injected: what a loop is made of may live as long as a request, and who checks that must not.
   *
   * @throws Error when it does
   */
  get #context(): ToolLoopContext {
    return (this.#made ??= Object.freeze({
      configuration: this.configuration,
      properties: this.given?.properties,
      options: this.moduleRef.get<ToolCallingAdvisorOptions>(TOOL_CALLING_ADVISOR_OPTIONS, { strict: true }),
    }));
  }

  /** The loop of a client, of the first source that has one for it. */
  loopOf(clientName: string, settings: ClientSettings['toolCalling']): ToolCallingAdvisor | undefined {
    if (this.#hasProblems) return undefined;
    for (const source of this.#sources) {
      const loop = source.loopOf(clientName, settings, this.#context);
      if (loop) return loop;
    }
    return undefined;
  }

  /** Looked for at each call: providers are still being made when the first client is. */
  get #sources(): readonly ToolLoopSource[] {
    return this.#wrappers.flatMap(({ instance }) => (instance as ToolLoopSource | null) ?? []);
  }

  get #wrappers(): ReturnType<DiscoveryService['getProviders']> {
    return this.discovery.getProviders().filter(({ token, isAlias }) => token === ToolLoopSource && !isAlias);
  }

  #check(sources: readonly ToolLoopSource[], clientNames: readonly string[]): readonly string[] {
    let context: ToolLoopContext;
    try {
      context = this.#context;
    } catch {
      // What the loop is made of is request-scoped: the rule of given providers says so.
      return [];
    }
    return sources.flatMap((source) => source.check(clientNames, context));
  }

  /** The key that says that a client is to search, if any does. */
  #keyOfSearch(clientName: string): string | undefined {
    const properties = this.given?.properties;
    if (clientName !== DEFAULT_CHAT_CLIENT) {
      const path = ['ai', 'clients', { name: clientName }];
      const isEnabled = this.#isEnabled(path, properties?.clients?.[clientName]);
      if (isEnabled !== undefined) return isEnabled ? `ai.clients.${clientName}` : undefined;
    }
    return this.#isEnabled(['ai', 'chat', 'client'], properties?.chat?.client) ? 'ai.chat.client' : undefined;
  }

  #isEnabled(
    client: readonly KeyPart[],
    given: { readonly toolSearchAdvisor?: object } | undefined,
  ): boolean | undefined {
    const path = [...client, 'toolSearchAdvisor'];
    const options = { checksKeys: false };
    return readProperties(TOOL_SEARCH, path, given?.toolSearchAdvisor, this.configuration, options).properties.enabled;
  }
}

const TOOL_SEARCH = { enabled: booleanProperty(undefined) };

function nobodySearches(client: string): string {
  return (
    `${client}.tool-search-advisor.enabled is true, but there is nobody who could search: import ToolSearchModule.forRoot() of ` +
    '@nestor-ai/tool-search.'
  );
}

function madeLater(moduleName: string | undefined): string {
  return (
    `The ToolLoopSource of ${moduleName} is request-scoped or transient, or injects something that is, such as the REQUEST, but one ` +
    'serves all requests. Take what belongs to a request from what a loop is given.'
  );
}
