import { Inject, Injectable, Optional } from '@nestjs/common';
import { AiExtension, DEFAULT_CHAT_CLIENT, type ExtensionContext } from '@nestor-ai/core';
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
  indexTypeKeyOf,
  readToolSearch,
  type ToolSearchProperties,
  type ToolSearchReading,
} from './tool-search-properties.js';

/**
 * The tool search of each client. Inject it to evict a session:
 * `toolSearchAdvisors.of()?.evictSession(id)`.
 */
@Injectable()
export class ToolSearchAdvisors extends AiExtension {
  /** Read here, for each client. */
  override readonly properties = { path: 'chat.client.toolSearchAdvisor' };
  readonly #ofModule = new Map<ExtensionContext, Map<string, ToolSearchToolCallingAdvisor | undefined>>();

  constructor(
    @Optional() @Inject(TOOL_SEARCH_MODULE_OPTIONS) private readonly options: ToolSearchModuleOptions | undefined,
    private readonly chooser: ToolIndexChooser,
  ) {
    super();
  }

  /**
   * The tool search of a client, available after the client's first use.
   *
   * @param clientName a name from `AiModule.forFeature()`. Default: the client that is injected as
   * `ChatClient`
   * @returns undefined if it is not enabled
   */
  of(clientName: string = DEFAULT_CHAT_CLIENT): ToolSearchToolCallingAdvisor | undefined {
    for (const advisors of this.#ofModule.values()) {
      const advisor = advisors.get(clientName);
      if (advisor) return advisor;
    }
    return undefined;
  }

  override check(clientNames: readonly string[], context: ExtensionContext): readonly string[] {
    // Advisors that were created during startup may not know all providers.
    this.#ofModule.get(context)?.clear();
    const problems = clientNames.flatMap((name) => {
      const { properties, problems: wrong } = this.#read(name, context);
      return [...wrong, ...(properties.enabled ? this.chooser.check(properties, indexTypeKeyOf(name)) : [])];
    });
    return [...new Set([...this.#read(DEFAULT_CHAT_CLIENT, context).problems, ...problems])];
  }

  override advisors(clientName: string, context: ExtensionContext): readonly ToolSearchToolCallingAdvisor[] {
    let advisors = this.#ofModule.get(context);
    if (!advisors) this.#ofModule.set(context, (advisors = new Map()));
    if (!advisors.has(clientName)) {
      const { properties } = this.#read(clientName, context);
      advisors.set(clientName, properties.enabled ? this.#make(clientName, properties, context) : undefined);
    }
    const advisor = advisors.get(clientName);
    return advisor ? [advisor] : [];
  }

  /**
   * Clients share an index, but each has its own sessions. The default client of the first module
   * uses plain session ids.
   */
  #scopeOf(clientName: string, context: ExtensionContext): string | undefined {
    const number = [...this.#ofModule.keys()].indexOf(context);
    if (number === 0) return clientName === DEFAULT_CHAT_CLIENT ? undefined : clientName;
    return `${clientName}@${number}`;
  }

  #make(clientName: string, properties: ToolSearchProperties, context: ExtensionContext): ToolSearchToolCallingAdvisor {
    const { advisorOrder, maxResults, referenceToolNameAccumulation, systemMessageSuffix, sessionIdKeyName } =
      properties;
    const { enabled: _isThere, advisorOrder: _order, ...ofClient } = context.settingsOf(clientName).toolCalling;
    const { order: _orderOfAll, advisorOrder: _orderOfThis, ...loop } = context.toolLoop();
    return new ToolSearchToolCallingAdvisor({
      ...loop,
      ...ofClient,
      toolIndex: this.chooser.indexOf(properties),
      evictionStrategy: evictionOf(properties),
      sessionRepository: this.chooser.sessionRepository,
      maxResults,
      systemMessageSuffix,
      ...(advisorOrder !== undefined && { advisorOrder }),
      ...(referenceToolNameAccumulation !== undefined && { referenceToolNameAccumulation }),
      ...(sessionIdKeyName !== undefined && { sessionIdKeyName }),
      sessionScope: this.#scopeOf(clientName, context),
    });
  }

  #read(clientName: string, context: ExtensionContext): ToolSearchReading {
    return readToolSearch(clientName, this.options?.properties, context);
  }
}

function evictionOf({ eviction }: ToolSearchProperties): ToolIndexEvictionStrategy {
  const lru = new LruEvictionStrategy(eviction.lruMaxSessions ?? DEFAULT_MAX_SESSIONS);
  return eviction.ttl === undefined ? lru : new CompositeEvictionStrategy(new TtlEvictionStrategy(eviction.ttl), lru);
}
