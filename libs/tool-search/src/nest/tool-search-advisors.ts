import { Inject, Injectable, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ModuleRef } from '@nestjs/core';
import { TOOL_CALLING_ADVISOR_OPTIONS, type ToolCallingAdvisorOptions, ToolLoopSource } from '@nestor-ai/core';
import { DEFAULT_MAX_SESSIONS, ToolSearchToolCallingAdvisor } from '../advisor/tool-search-tool-calling-advisor.js';
import {
  CompositeEvictionStrategy,
  LruEvictionStrategy,
  type ToolIndexEvictionStrategy,
  TtlEvictionStrategy,
} from '../eviction/tool-index-eviction-strategy.js';
import { ToolIndexChooser } from './tool-index.chooser.js';
import { TOOL_SEARCH_MODULE_OPTIONS, type ToolSearchModuleOptions } from './tool-search.module-definition.js';
import {
  overlaid,
  readClientProperties,
  readToolSearchProperties,
  type ToolSearchProperties,
  type ToolSearchReading,
} from './tool-search-properties.js';

/** The client that is injected as `ChatClient`. */
const DEFAULT_CLIENT = 'default';

/**
 * The tool search of each client. Inject it to forget a session: `toolSearchAdvisors.of()?.evictSession(id)`.
 */
@Injectable()
export class ToolSearchAdvisors extends ToolLoopSource {
  readonly #advisors = new Map<string, ToolSearchToolCallingAdvisor | undefined>();
  readonly #all: ToolSearchReading;
  readonly #config: ConfigService | undefined;

  constructor(
    @Optional() @Inject(TOOL_SEARCH_MODULE_OPTIONS) options: ToolSearchModuleOptions | undefined,
    @Optional() @Inject(ConfigService) config: ConfigService | undefined,
    private readonly chooser: ToolIndexChooser,
    private readonly moduleRef: ModuleRef,
  ) {
    super();
    this.#config = typeof (config as Partial<ConfigService> | undefined)?.get === 'function' ? config : undefined;
    this.#all = readToolSearchProperties(options?.properties, this.#config);
  }

  /**
   * The tool search of a client, once the client was used.
   *
   * @param clientName a name given to `AiModule.forFeature()`. Default: the client that is injected as `ChatClient`
   * @returns undefined where it is not enabled
   */
  of(clientName: string = DEFAULT_CLIENT): ToolSearchToolCallingAdvisor | undefined {
    return this.#advisors.get(clientName);
  }

  override check(clientNames: readonly string[]): readonly string[] {
    const own = clientNames.filter((name) => name !== DEFAULT_CLIENT).map((name) => this.#readOwn(name));
    const problems = [...this.#all.problems, ...own.flatMap((reading) => reading.problems)];
    for (const name of clientNames) {
      const properties = this.#propertiesOf(name);
      if (properties.enabled) problems.push(...this.chooser.check(properties, keyOf(name)));
    }
    return [...new Set(problems)];
  }

  override loopOf(
    clientName: string,
    settings: Parameters<ToolLoopSource['loopOf']>[1],
  ): ToolSearchToolCallingAdvisor | undefined {
    if (!this.#advisors.has(clientName)) this.#advisors.set(clientName, this.#make(clientName, settings.maxRounds));
    return this.#advisors.get(clientName);
  }

  #make(clientName: string, maxRounds: number): ToolSearchToolCallingAdvisor | undefined {
    const properties = this.#propertiesOf(clientName);
    if (!properties.enabled) return undefined;
    const { advisorOrder, maxResults, referenceToolNameAccumulation, systemMessageSuffix, sessionIdKeyName } =
      properties;
    const { advisorOrder: _orderOfTheOther, ...options } = this.moduleRef.get<ToolCallingAdvisorOptions>(
      TOOL_CALLING_ADVISOR_OPTIONS,
      { strict: false },
    );
    return new ToolSearchToolCallingAdvisor({
      ...options,
      maxRounds,
      toolIndex: this.chooser.indexOf(properties),
      evictionStrategy: evictionOf(properties),
      maxResults,
      systemMessageSuffix,
      ...(advisorOrder !== undefined && { advisorOrder }),
      ...(referenceToolNameAccumulation !== undefined && { referenceToolNameAccumulation }),
      ...(sessionIdKeyName !== undefined && { sessionIdKeyName }),
      ...(clientName !== DEFAULT_CLIENT && { sessionScope: clientName }),
    });
  }

  #propertiesOf(clientName: string): ToolSearchProperties {
    if (clientName === DEFAULT_CLIENT) return this.#all.properties;
    return overlaid(this.#all.properties, this.#readOwn(clientName).properties);
  }

  #readOwn(clientName: string): ToolSearchReading {
    return readClientProperties(clientName, this.#config);
  }
}

function evictionOf({ eviction }: ToolSearchProperties): ToolIndexEvictionStrategy {
  const lru = new LruEvictionStrategy(eviction.lruMaxSessions ?? DEFAULT_MAX_SESSIONS);
  return eviction.ttl === undefined ? lru : new CompositeEvictionStrategy(new TtlEvictionStrategy(eviction.ttl), lru);
}

function keyOf(clientName: string): string {
  const client = clientName === DEFAULT_CLIENT ? 'ai.chat.client' : `ai.clients.${clientName}`;
  return `${client}.tool-search-advisor.tool-index-type`;
}
