import type { ChatOptions } from '@nestor-ai/core';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import { configuredBy, type PropertyNames } from '../failure/advice.js';
import { type Fetch, fetchThrough, NO_KEY, withoutNoKey } from './custom-fetch.js';
import { isHeaderValue } from '../request/http-headers.js';
import { loadProvider, type ProviderModels } from './load-provider.js';
import { type AiModelProperties, isAddress } from './model-properties.js';
import { factsOf, MODEL_PROVIDERS, type ModelProvider } from './provider-table.js';
import type { AiSdkEmbedder, AiSdkLanguageModel } from '../language-model.js';

/** The settings of a provider. */
export interface ProviderSettings extends Partial<Omit<AiModelProperties, 'name' | 'embeddingName'>> {
  /** Sends the requests in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** The properties of the application's model. */
export const DEFAULT_NAMES: PropertyNames = { key: 'ai.model', variable: 'AI_MODEL' };

/** Headers that carry a key. */
const KEY_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']);

/** A provider with its settings, whose package is loaded. It creates models by their id. */
export class ConfiguredProvider {
  private constructor(
    readonly name: ModelProvider,
    private readonly models: ProviderModels,
    private readonly settings: ProviderSettings,
    private readonly given: PropertyNames | undefined,
  ) {}

  private get names(): PropertyNames {
    return this.given ?? DEFAULT_NAMES;
  }

  /**
   * Checks the settings and loads the package.
   *
   * @param names undefined if no properties configure this provider
   * @throws Error that names the property or the package that is missing
   */
  static async load(settings: ProviderSettings, names?: PropertyNames): Promise<ConfiguredProvider> {
    const provider = requireProvider(settings, names ?? DEFAULT_NAMES);
    const create = await loadProvider(provider);
    return new ConfiguredProvider(provider, create(await packageSettings(provider, settings)), settings, names);
  }

  /**
   * A model of the provider.
   *
   * @throws Error if the provider does not have the API of `ai.model.api`
   */
  chatModel(id: string, defaultOptions: ChatOptions = {}): AiSdkChatModel {
    const { models, settings, names } = this;
    const toChatModel = (model: AiSdkLanguageModel): AiSdkChatModel =>
      new AiSdkChatModel(configuredBy(this.given, model), defaultOptions);
    if (settings.api === 'responses') {
      if (models.responses) return toChatModel(models.responses(id));
      throw new Error(
        `The property ${names.key}.api is 'responses', but ${this.name} has no Responses API. Remove the property.`,
      );
    }
    // Chat Completions: gateways for OpenAI's protocol rarely support the Responses API.
    return toChatModel((models.chat ?? models)(id));
  }

  /** @throws Error if the provider has no embedding models */
  embedder(id: string): AiSdkEmbedder {
    try {
      if (this.models.embeddingModel) return configuredBy(this.given, this.models.embeddingModel(id));
    } catch (error) {
      if ((error as Error).name !== 'AI_NoSuchModelError') throw error;
    }
    throw new Error(`The property ai.model.embedding-name is '${id}', but ${this.name} has no embedding models.`);
  }

  /** @throws Error if no name is given */
  requireName(name: string | undefined): string {
    if (name) return name;
    const { key, variable } = this.names;
    throw new Error(
      `The property ${key}.name is not set. Set ${variable}_NAME, or the option name in code, to a model of ${this.name}.` +
        unreadText(this.names, 'NAME'),
    );
  }

  /** The warning that the provider needs an API key and has none, with the effect. Undefined if it has. */
  missingKey(effect = 'every call will fail'): string | undefined {
    const { keyVariables } = factsOf(this.name);
    if (!keyVariables || findsKey(this.name, this.settings) || carriesKey(this.settings)) return undefined;
    const { key, variable } = this.names;
    return (
      `${this.name} needs an API key, but there is none: ${effect}. Set the property ${key}.api-key ` +
      `(${variable}_API_KEY), or the environment variable ${keyVariables[0]}.` +
      unreadText(this.names, 'API_KEY')
    );
  }
}

/** @throws Error when the provider or its address is not set, or the address or the key is malformed */
function requireProvider(
  { provider, baseUrl, apiKey, proxy, fetch }: ProviderSettings,
  names: PropertyNames,
): ModelProvider {
  const { key, variable } = names;
  if (!provider) {
    throw new Error(
      `The property ${key}.provider is not set. Set ${variable}_PROVIDER, or the option provider in code, to one of: ` +
        `${MODEL_PROVIDERS.join(', ')}.${unreadText(names, 'PROVIDER')}`,
    );
  }
  const { address } = factsOf(provider);
  if (address && !baseUrl && !(address.variable && process.env[address.variable])) {
    const orVariable = address.variable ? `, or the environment variable ${address.variable}` : '';
    throw new Error(
      `The property ${key}.base-url is not set. ${provider} needs it: set ${variable}_BASE_URL, or the option ` +
        `baseUrl in code, for example to ${address.example}${orVariable}.${unreadText(names, 'BASE_URL')}`,
    );
  }
  if (baseUrl && !isAddress(baseUrl)) {
    throw new Error(
      `The property ${key}.base-url is not an address. Set ${variable}_BASE_URL, or the option baseUrl in code, to ` +
        `one that begins with https:// or http://, for example to ${address?.example ?? 'https://llm.example.com/v1'}.`,
    );
  }
  if (baseUrl && !fetch && hasCredentials(baseUrl)) {
    throw new Error(
      `The property ${key}.base-url contains a user name or a password, which requests cannot carry. Remove them, and ` +
        `set ${key}.headers (${variable}_HEADERS) to authorization=Basic … instead.`,
    );
  }
  if (apiKey && !isHeaderValue(apiKey)) {
    throw new Error(
      `The property ${key}.api-key has a character that HTTP headers cannot carry. Set ${variable}_API_KEY to the key ` +
        'itself, not to a shortened one such as sk-….',
    );
  }
  if (proxy && fetch) {
    throw new Error(`The property ${key}.proxy has no effect beside the option fetch. Remove one of them.`);
  }
  return provider;
}

/** Says that a variable was not read, if that is so. A provider's package reads its own variables itself. */
function unreadText({ variable, isRead = true }: PropertyNames, ending: string): string {
  if (isRead) return '';
  const name = `${variable}_${ending}`;
  const found = process.env[name] ? ` ${name} is set, but was not read:` : '';
  return (
    `${found} AiSdkModule sees no ConfigModule, so it has read neither the environment nor .env for properties. Import ` +
    'ConfigModule.forRoot({ isGlobal: true }) of @nestjs/config.'
  );
}

function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/** The settings as the package names them. */
async function packageSettings(provider: ModelProvider, settings: ProviderSettings): Promise<Record<string, unknown>> {
  const { settings: defaults, keyOption } = factsOf(provider);
  const { baseUrl, apiKey, headers, proxy } = settings;
  const bearer = keyOption === 'bearer' && apiKey ? { authorization: `Bearer ${apiKey}` } : undefined;
  const sendsThrough = proxy ? await fetchThrough(proxy) : settings.fetch;
  // The package sends no request without a key, even if a header or `fetch` carries it.
  const isKeyElsewhere = !findsKey(provider, settings) && carriesKey(settings);
  const send = isKeyElsewhere ? withoutNoKey(sendsThrough) : sendsThrough;
  return {
    ...defaults,
    ...(baseUrl && { baseURL: baseUrl }),
    ...(apiKey && !bearer && { apiKey }),
    ...(isKeyElsewhere && { apiKey: NO_KEY }),
    ...((headers ?? bearer) && { headers: { ...bearer, ...headers } }),
    ...(send && { fetch: send }),
  };
}

/** Whether the package finds a key, or needs none. */
function findsKey(provider: ModelProvider, { apiKey }: ProviderSettings): boolean {
  const { keyVariables } = factsOf(provider);
  return !keyVariables || Boolean(apiKey) || keyVariables.some((name) => process.env[name]);
}

/** Whether a header carries the key, or a `fetch` that may add it. */
function carriesKey({ headers = {}, fetch }: ProviderSettings): boolean {
  return fetch !== undefined || Object.keys(headers).some((name) => KEY_HEADERS.has(name.toLowerCase()));
}
