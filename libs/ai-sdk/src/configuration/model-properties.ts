import {
  choiceProperty,
  type KeyPart,
  MODEL_PROPERTIES,
  namesUnder,
  type Pairs,
  pairsProperty,
  type PropertySource,
  type PropertyType,
  readProperties,
  type ResolvedProperties,
  secretProperty,
  textProperty,
} from '@nestor-ai/core';
import { PROXY_OF_ENVIRONMENT } from './custom-fetch.js';
import { isHeaderName, isHeaderValue } from '../request/http-headers.js';
import { MODEL_PROVIDERS } from './provider-table.js';

/** The properties of this package, under `ai.model` and `ai.models.<name>`. */
export const OWN_PROPERTIES = {
  /** Which provider package Nestor uses. */
  provider: choiceProperty(undefined, MODEL_PROVIDERS),
  /** The name of the model at its provider. */
  name: textProperty(),
  /** The name of an embedding model at the same provider. Anthropic has none. */
  embeddingName: textProperty(),
  /** The address of the provider with its path, such as `/v1`. Required with `openai-compatible`. */
  baseUrl: textProperty(),
  /**
   * The API key.
   *
   * @default what the provider package reads, such as `OPENAI_API_KEY`
   */
  apiKey: secretProperty(textProperty()),
  /**
   * Which API of the provider Nestor uses: `responses` is the Responses API of OpenAI, Azure and
   * xAI.
   *
   * @default chat
   */
  api: choiceProperty(undefined, ['chat', 'responses'] as const),
  /** HTTP headers of every request: an object, or text such as `x-team=blue,x-trace=on`. */
  headers: headersProperty(),
  /**
   * The address of an HTTP proxy, such as `http://proxy:3128`, or `env` for the proxies in
   * `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. Needs the package `undici`.
   */
  proxy: proxyProperty(),
};

/** The keys of `ai.model`. `AiModule` reads the others and reports their problems. */
const MODEL_PROPERTY_TREE = { ...OWN_PROPERTIES, ...MODEL_PROPERTIES };

/** The properties `ai.model.*` of this package, such as the provider and the name of the model. */
export type AiModelProperties = ResolvedProperties<typeof OWN_PROPERTIES>;

/** Properties, and what is wrong with them. */
export interface ModelPropertiesReading {
  readonly properties: AiModelProperties;
  /** The names of the models to ask when this one fails. */
  readonly fallbacks: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Reads `ai.model.*`.
 *
 * @param options values from code; the configuration overrides them
 * @param source the configuration, such as a `ConfigService`
 */
export function readModelProperties(
  options: Partial<AiModelProperties> | undefined,
  source: PropertySource | undefined,
): ModelPropertiesReading {
  return read(['ai', 'model'], options, source);
}

/** Reads `ai.models.<name>.*`. */
export function readNamedModelProperties(
  name: string,
  options: Partial<AiModelProperties> | undefined,
  source: PropertySource | undefined,
): ModelPropertiesReading {
  return read(['ai', 'models', { name }], options, source);
}

/** The names of the models that the configuration describes. */
export function configuredModelNames(source: PropertySource | undefined, given: readonly string[]): readonly string[] {
  return namesUnder(source, ['ai', 'models'], Object.keys(MODEL_PROPERTY_TREE), given);
}

function read(
  root: readonly KeyPart[],
  options: Partial<AiModelProperties> | undefined,
  source: PropertySource | undefined,
): ModelPropertiesReading {
  const { properties, problems } = readProperties(MODEL_PROPERTY_TREE, root, options, source);
  const own = Object.keys(OWN_PROPERTIES).map((key) => [key, properties[key as keyof AiModelProperties]]);
  return {
    properties: Object.fromEntries(own) as AiModelProperties,
    fallbacks: properties.fallbacks,
    problems,
  };
}

/** Whether a text is the address of an HTTP server. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/** The names and values of HTTP headers. */
function headersProperty(): PropertyType<Pairs | undefined> {
  return pairsProperty(
    'an object of texts, or names and values such as x-team=blue,x-trace=on',
    (name, value) => isHeaderName(name) && value !== '' && isHeaderValue(value),
  );
}

function proxyProperty(): PropertyType<string | undefined> {
  return {
    allowed: 'the address of a proxy such as http://proxy:3128, or env',
    defaultValue: undefined,
    // The address may contain a password.
    isSecret: true,
    read: (value) => {
      const text = typeof value === 'string' ? value.trim() : '';
      return text === PROXY_OF_ENVIRONMENT || isAddress(text) ? text : undefined;
    },
  };
}
