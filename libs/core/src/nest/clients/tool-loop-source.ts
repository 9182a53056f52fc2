import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ToolCallingAdvisor } from '../../advisor/tool-calling-advisor.js';
import type { ClientSettings } from '../properties/client-properties.js';
import { CONFIGURATION, type PropertySource } from '../properties/property-source.js';
import { booleanProperty } from '../properties/property-types.js';
import { readProperties } from '../properties/read-properties.js';

/**
 * Gives clients a tool loop of another kind than the application's `ToolCallingAdvisor`. A package that has one provides it under
 * this token, in a module of its own; what a request, a client or `@RegisterAdvisor()` brings still goes first.
 */
export abstract class ToolLoopSource {
  /**
   * Looks at the configuration when the application starts.
   *
   * @param clientNames of all clients; the one that is injected as `ChatClient` is called `default`
   * @returns what is wrong, to be told with everything else that is wrong
   */
  abstract check(clientNames: readonly string[]): readonly string[];

  /**
   * The loop of a client. Asked once a client, after {@link check}.
   *
   * @param clientName `default` for the client that is injected as `ChatClient`
   * @param settings how the loop of the client is configured
   * @returns undefined for a client that is to have the `ToolCallingAdvisor` of the application
   */
  abstract loopOf(clientName: string, settings: ClientSettings['toolCalling']): ToolCallingAdvisor | undefined;
}

/** All loops of another kind that the application has. */
@Injectable()
export class ToolLoopSources {
  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(CONFIGURATION) private readonly config: PropertySource | undefined,
  ) {}

  /** Looked for at each call: providers are still being made when the first client is. */
  get all(): readonly ToolLoopSource[] {
    return this.discovery
      .getProviders()
      .filter(({ token, isAlias }) => token === ToolLoopSource && !isAlias)
      .flatMap(({ instance }) => (instance as ToolLoopSource | null) ?? []);
  }

  /** What is wrong with them, or that somebody counts on one that is not there. */
  check(clientNames: readonly string[]): readonly string[] {
    const sources = this.all;
    if (sources.length > 0) return sources.flatMap((source) => source.check(clientNames));
    const { properties } = readProperties(TOOL_SEARCH, TOOL_SEARCH_PATH, undefined, this.config, { checksKeys: false });
    return properties.enabled ? [NOBODY_SEARCHES] : [];
  }

  /** The loop of a client, of the first source that has one for it. */
  loopOf(clientName: string, settings: ClientSettings['toolCalling']): ToolCallingAdvisor | undefined {
    for (const source of this.all) {
      const loop = source.loopOf(clientName, settings);
      if (loop) return loop;
    }
    return undefined;
  }
}

const TOOL_SEARCH = { enabled: booleanProperty(false) };
const TOOL_SEARCH_PATH = ['ai', 'chat', 'client', 'toolSearchAdvisor'];
const NOBODY_SEARCHES =
  'ai.chat.client.tool-search-advisor.enabled is true, but there is nobody who could search: import ToolSearchModule.forRoot() of ' +
  '@nestor-ai/tool-search.';
