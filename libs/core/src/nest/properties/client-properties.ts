import { Inject, Injectable } from '@nestjs/common';
import type { ToolCallingAdvisorOptions } from '../../advisor/tool-calling-advisor.options.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { AiProperties, CLIENT_OVERRIDES, CLIENT_PROPERTIES } from './ai-properties.js';
import { NamedProperties, overlaid } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';

/** The complete settings of a client. */
export type ClientSettings = AiProperties['chat']['client'];

/** The properties of clients: `ai.chat.client.*` for all, `ai.clients.<name>.*` for one. */
@Injectable()
export class ClientProperties {
  /** The client that is injected as `ChatClient`. */
  readonly ofDefault: ClientSettings;
  /** Those of single clients. */
  readonly named: NamedProperties<typeof CLIENT_OVERRIDES>;

  constructor({ chat, clients }: AiProperties, @Inject(CONFIGURATION) config: PropertySource | undefined) {
    this.ofDefault = chat.client;
    this.named = new NamedProperties(CLIENT_OVERRIDES, ['ai', 'clients'], clients, config);
  }

  /** The name of the client's model. Undefined for the model of the application. */
  modelOf(name: string): string | undefined {
    return name === DEFAULT_CHAT_CLIENT ? undefined : this.named.of(name).model;
  }

  /** The settings of a client. They default to those of all clients. */
  of(name: string): ClientSettings {
    return name === DEFAULT_CHAT_CLIENT
      ? this.ofDefault
      : overlaid(CLIENT_PROPERTIES, this.ofDefault, this.named.of(name));
  }
}

type LoopProperties = ClientSettings['toolCalling'];

/**
 * The options of a client's tool loop. Does not compile if a property has no option of the same
 * name.
 */
export function loopOptionsOf({
  enabled: _isThere,
  ...options
}: LoopProperties): Pick<ToolCallingAdvisorOptions, Exclude<keyof LoopProperties, 'enabled'>> {
  return options;
}
