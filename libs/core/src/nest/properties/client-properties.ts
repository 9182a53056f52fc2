import { Inject, Injectable } from '@nestjs/common';
import type { ToolCallingAdvisorOptions } from '../../advisor/tool-calling-advisor.options.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { AiProperties, CLIENT_OVERRIDES, CLIENT_PROPERTIES } from './ai-properties.js';
import { NamedProperties } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';
import { isElsewhere, isPropertyType } from './property-types.js';

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

  /** The names of clients in the options and in configuration objects. */
  get names(): readonly string[] {
    return this.#named.names;
  }

  /** Reads what is said of a client, and gives what is wrong with it. */
  check(name: string): readonly string[] {
    return this.#named.check(name);
  }

  /** A client: as all clients, where nothing else is said of it. */
  of(name: string): ClientSettings {
    return name === DEFAULT_CHAT_CLIENT
      ? this.ofDefault
      : overlaid(CLIENT_PROPERTIES, this.ofDefault, this.#named.of(name));
  }
}

type LoopProperties = ClientSettings['toolCalling'];

/** The options of a client's tool loop. A property that the loop has no option for does not compile. */
export function loopOptionsOf({
  enabled: _isThere,
  ...options
}: LoopProperties): Pick<ToolCallingAdvisorOptions, Exclude<keyof LoopProperties, 'enabled'>> {
  return options;
}

/** Values of a tree over others; the others themselves where nothing else is said. */
function overlaid<Values>(tree: object, base: Values, over: unknown): Values {
  if (isPropertyType(tree) || isElsewhere(tree)) return (over as Values | undefined) ?? base;
  const [below, above] = [base, over] as [Record<string, unknown>, Record<string, unknown>];
  const entries = Object.entries(tree).map(
    ([key, child]: [string, object]) => [key, overlaid(child, below[key], above[key])] as const,
  );
  const isSame = entries.every(([key, value]) => value === below[key]);
  return isSame ? base : (Object.freeze(Object.fromEntries(entries)) as Values);
}
