import type { ConfigService } from '@nestjs/config';
import type { ChatModel, ChatOptions, EmbeddingModel } from '@nestor-ai/core';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import {
  type AiSdkModuleOptions,
  EXTRA_KEYS,
  MODEL_OPTION_KEYS,
  type ModelOptions,
  OPTION_KEYS,
} from './ai-sdk.module-definition.js';
import { ConfiguredModels, variableOf } from './configured-models.js';
import { ConfiguredProvider, DEFAULT_NAMES } from './configured-provider.js';
import { createEmbeddingModel } from './create-chat-model.js';
import {
  type AiModelProperties,
  configuredModelNames,
  OWN_PROPERTIES,
  readModelProperties,
  readNamedModelProperties,
} from './model-properties.js';
import { UnavailableChatModel } from './unavailable-chat-model.js';
import { UnavailableEmbeddingModel } from './unavailable-embedding-model.js';

/*
 * An error thrown here would end the process under Nest's defaults. AiModule reports it at
 * bootstrap instead.
 */

/** Creates the models under `ai.models` and in the option `models`. */
export async function makeModels(
  options: AiSdkModuleOptions | undefined,
  config: ConfigService | undefined,
): Promise<ConfiguredModels> {
  const { models: inCode = {}, fetch } = options ?? {};
  const { properties, fallbacks } = readModelProperties(ownOf(options), config);
  const models = new ConfiguredModels({ ...properties, fetch });
  for (const name of configuredModelNames(config, Object.keys(inCode))) {
    await addModel(models, name, Object.hasOwn(inCode, name) ? inCode[name]! : undefined, config);
  }
  await models.load(fallbacks);
  return models;
}

/**
 * Creates a model with a name and adds it. If it cannot be created, that becomes a problem.
 *
 * @param given the options in code; undefined for a model that only the configuration describes
 */
export async function addModel(
  models: ConfiguredModels,
  name: string,
  given: ModelOptions | undefined,
  config: ConfigService | undefined,
): Promise<void> {
  const { properties, problems, fallbacks } = readNamedModelProperties(name, ownOf(given), config);
  const found = [...nameProblems(name), ...modelProblems(name, given), ...problems];
  await models.load(fallbacks);
  // The configuration may only set a limit for a model of another module.
  const isDescribed = given !== undefined || Object.values(properties).some((value) => value !== undefined);
  if (isDescribed) {
    const making = found.length > 0 ? undefined : makeNamed(models, name, given ?? {}, properties, config);
    const model = await making?.catch(reasonOf);
    if (typeof model === 'string') found.push(model);
    const usable = typeof model === 'object' ? model : new UnavailableChatModel(found);
    models.add(name, usable, { isInCode: given !== undefined });
  }
  models.report(name, found);
}

function reasonOf(error: unknown): string {
  return (error as Error).message;
}

async function makeNamed(
  models: ConfiguredModels,
  name: string,
  { model, options, fetch = models.defaults.fetch }: ModelOptions,
  properties: AiModelProperties,
  config: ConfigService | undefined,
): Promise<ChatModel> {
  if (model && properties.provider === undefined && properties.name === undefined) {
    try {
      return toChatModel(model, options);
    } catch (cause) {
      throw new Error(`The model '${name}' cannot be used. ${reasonOf(cause)}`, { cause });
    }
  }
  // Without a provider of its own, it is another model of the application's provider.
  const own = properties.provider === undefined ? { ...models.defaults, ...defined(properties) } : properties;
  const settings = { ...own, fetch };
  const names = { key: `ai.models.${name}`, variable: variableOf(name), isRead: config !== undefined };
  const provider = await ConfiguredProvider.load(settings, names);
  models.useSettings(settings, names);
  models.warn(provider.missingKey());
  return models.created(provider.chatModel(provider.requireName(properties.name), options), provider);
}

/** Creates the model of the application. */
export async function makeChatModel(
  options: AiSdkModuleOptions | undefined,
  config: ConfigService | undefined,
  embeddingModel: EmbeddingModel | undefined,
  models: ConfiguredModels,
): Promise<ChatModel> {
  const { properties, problems } = readModelProperties(ownOf(options), config);
  const found = [...optionProblems(options), ...problems];
  if (found.length > 0) return new UnavailableChatModel(found);
  const { model, fallback, fetch, options: defaultOptions } = options ?? {};
  try {
    if (model && properties.provider === undefined && properties.name === undefined)
      return toChatModel(model, defaultOptions);
    if (fallback && Object.values(properties).every((value) => value === undefined)) return fallback;
    // Report its problems here as well: nothing else checks the embedding model at startup.
    embeddingModel?.verify();
    const names = { ...DEFAULT_NAMES, isRead: config !== undefined };
    const provider = await ConfiguredProvider.load({ ...properties, fetch }, names);
    const missingKey = provider.missingKey(fallback && 'the option fallback answers');
    models.warn(missingKey);
    if (missingKey !== undefined && fallback) return fallback;
    return models.created(provider.chatModel(provider.requireName(properties.name), defaultOptions), provider);
  } catch (error) {
    return new UnavailableChatModel([reasonOf(error)]);
  }
}

/** @returns undefined if no embedding model is configured */
export async function makeEmbeddingModel(
  options: AiSdkModuleOptions | undefined,
  config: ConfigService | undefined,
): Promise<EmbeddingModel | undefined> {
  const { properties } = readModelProperties(ownOf(options), config);
  if (properties.embeddingName === undefined) return undefined;
  try {
    return await createEmbeddingModel({ ...properties, fetch: options?.fetch });
  } catch (error) {
    return new UnavailableEmbeddingModel(error);
  }
}

function nameProblems(name: string): readonly string[] {
  return name.trim() === '' ? ['A model of AiSdkModule has an empty name. Give it one that requests can use.'] : [];
}

function modelProblems(name: string, given: ModelOptions | undefined): readonly string[] {
  if (given !== undefined && !isObject(given)) {
    return [`The model '${name}' of AiSdkModule is no object. Describe it with options: { provider: …, name: … }.`];
  }
  return unknownKeys(given, MODEL_OPTION_KEYS).map(
    (key) => `The model '${name}' has no option '${key}'. Known: ${MODEL_OPTION_KEYS.join(', ')}.`,
  );
}

function optionProblems(options: AiSdkModuleOptions | undefined): readonly string[] {
  if (!isObject(options)) {
    return ['The factory of AiSdkModule.forRootAsync() returned no options. Return at least {}.'];
  }
  return unknownKeys(options, OPTION_KEYS).map((key) => {
    const where = EXTRA_KEYS.includes(key) ? ` Move '${key}' next to useFactory.` : '';
    return `AiSdkModule has no option '${key}'. Known: ${OPTION_KEYS.join(', ')}.${where}`;
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownKeys(given: object | undefined, known: readonly string[]): string[] {
  return Object.keys(given ?? {}).filter((key) => !known.includes(key));
}

/** The properties among the options. */
function ownOf(options: ModelOptions | undefined): Partial<AiModelProperties> {
  const entries = Object.entries(options ?? {}).filter(([key]) => Object.hasOwn(OWN_PROPERTIES, key));
  return Object.fromEntries(entries);
}

function toChatModel(model: NonNullable<ModelOptions['model']>, options: ChatOptions | undefined): ChatModel {
  if (!isObject(model)) {
    throw new TypeError(
      `The option model of AiSdkModule has to be a model, such as anthropic('claude-sonnet-4-5'), and is a ` +
        `${typeof model}. For a model by its name, use the options provider and name.`,
    );
  }
  return 'call' in model ? model : new AiSdkChatModel(model, options);
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
