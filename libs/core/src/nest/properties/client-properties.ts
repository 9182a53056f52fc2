import { Inject, Injectable } from '@nestjs/common';
import { AiProperties, CLIENT_OVERRIDES } from './ai-properties.js';
import { NamedProperties } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';

/** How a client is configured, when everything has been said. */
export type ClientSettings = AiProperties['chat']['client'];

/** What the configuration says of clients: `ai.chat.client.*` of all, `ai.clients.<name>.*` of single ones. */
@Injectable()
export class ClientProperties {
  /** The client that is injected as `ChatClient`. */
  readonly ofDefault: ClientSettings;
  readonly #named: NamedProperties<typeof CLIENT_OVERRIDES>;

  constructor({ chat, clients }: AiProperties, @Inject(CONFIGURATION) config: PropertySource | undefined) {
    this.ofDefault = chat.client;
    this.#named = new NamedProperties(CLIENT_OVERRIDES, ['ai', 'clients'], clients, config);
  }

  /** The names of clients in the options and in nested configuration. */
  get names(): readonly string[] {
    return this.#named.names;
  }

  /** Reads what is said of a client, and gives what is wrong with it. */
  check(name: string): readonly string[] {
    return this.#named.read(name).problems;
  }

  /** A named client: as all clients, where nothing else is said of it, but with the tools that it is given. */
  of(name: string): ClientSettings {
    const { enabled, defaultTools, toolCalling, observations } = this.#named.of(name);
    const ofAll = this.ofDefault;
    return {
      enabled,
      defaultTools: defaultTools ?? 'none',
      toolCalling: {
        enabled: toolCalling.enabled ?? ofAll.toolCalling.enabled,
        advisorOrder: toolCalling.advisorOrder ?? ofAll.toolCalling.advisorOrder,
        maxRounds: toolCalling.maxRounds ?? ofAll.toolCalling.maxRounds,
      },
      observations: {
        logPrompt: observations.logPrompt ?? ofAll.observations.logPrompt,
        logCompletion: observations.logCompletion ?? ofAll.observations.logCompletion,
      },
    };
  }
}
