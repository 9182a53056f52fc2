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

/** Finds all `ToolLoopSource`s of the application. */
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
   * Their problems, or the problem that a client needs a source and there is none.
   *
   * @param clientNames the names of all enabled clients
   */
  check(clientNames: readonly string[]): readonly string[] {
    const problems = this.#problemsWith(clientNames);
    this.#hasProblems = problems.length > 0;
    return problems;
  }

  #problemsWith(clientNames: readonly string[]): readonly string[] {
    const later = this.#wrappers.filter(isMadeLater);
    if (later.length > 0) return later.map(({ host }) => scopedSourceText(host?.name));
    const sources = this.#sources;
    if (sources.length > 0) return this.#check(sources, clientNames);
    return [...new Set(clientNames.flatMap((name) => this.#keyOfSearch(name) ?? []))].map(missingToolSearch);
  }

  /**
   * Not injected, since the dependencies of a loop may be request-scoped and this class must not
   * be.
   *
   * @throws Error if they are request-scoped
   */
  get #context(): ToolLoopContext {
    return (this.#made ??= Object.freeze({
      configuration: this.configuration,
      properties: this.given?.properties,
      options: this.moduleRef.get<ToolCallingAdvisorOptions>(TOOL_CALLING_ADVISOR_OPTIONS, { strict: true }),
    }));
  }

  /** The loop of a client, from the first source that has one for it. */
  loopOf(clientName: string, settings: ClientSettings['toolCalling']): ToolCallingAdvisor | undefined {
    if (this.#hasProblems) return undefined;
    for (const source of this.#sources) {
      const loop = source.loopOf(clientName, settings, this.#context);
      if (loop) return loop;
    }
    return undefined;
  }

  /** Looked up on each call, since Nest may create the first client before all providers exist. */
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
      // A dependency of the loop is request-scoped. Another bootstrap rule reports this.
      return [];
    }
    return sources.flatMap((source) => source.check(clientNames, context));
  }

  /** The property that turns on tool search for a client, if any. */
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

function missingToolSearch(client: string): string {
  return (
    `${client}.tool-search-advisor.enabled is true, but tool search is not installed. Import ToolSearchModule.forRoot() from ` +
    '@nestor-ai/tool-search.'
  );
}

function scopedSourceText(moduleName: string | undefined): string {
  return (
    `The ToolLoopSource of ${moduleName} is request-scoped or transient, or injects something that is, such as REQUEST. Make it a ` +
    'singleton, since it serves all requests. A loop finds the data of a request in the request that it receives.'
  );
}
