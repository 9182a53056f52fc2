import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ChatModel, type ChatOptions, EmbeddingModel } from '@nestor-ai/core';
import {
  type AiModelProperties,
  createChatModel,
  createEmbeddingModel,
  readModelProperties,
} from './create-chat-model.js';
import { UnavailableChatModel } from './unavailable-chat-model.js';
import { UnavailableEmbeddingModel } from './unavailable-embedding-model.js';

/** The options of `AiSdkModule.forRoot()`; the properties `ai.model.*` win over them. */
export interface AiSdkModuleOptions extends Partial<AiModelProperties> {
  /** Used where a request sets nothing else. */
  options?: ChatOptions;
  /** The model when no `ai.model.*` is set: for development and tests without one. Default: none. */
  fallback?: ChatModel;
  /**
   * Whether other modules can inject the `EmbeddingModel`; the tool search finds it either way. Default: where `embeddingName` is
   * given here.
   */
  embeddings?: boolean;
  /** Modules that export what the module injects: `ConfigModule`, where it is not global. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const OPTIONS = Symbol('nestor.AiSdkModuleOptions');

/**
 * Provides the `ChatModel` that `ai.model.*` describes to the whole application, and the `EmbeddingModel` where
 * `ai.model.embedding-name` is set. When one cannot be made, `AiModule` says why at bootstrap.
 *
 * @example
 * imports: [ConfigModule.forRoot({ isGlobal: true }), AiSdkModule.forRoot(), AiModule.forRoot()]
 */
@Module({})
export class AiSdkModule {
  static forRoot(options: AiSdkModuleOptions = {}): DynamicModule {
    return {
      module: AiSdkModule,
      global: true,
      imports: options.imports ?? [],
      providers: [
        { provide: OPTIONS, useValue: options },
        {
          provide: ChatModel,
          inject: [OPTIONS, { token: ConfigService, optional: true }, EmbeddingModel],
          useFactory: makeChatModel,
        },
        {
          provide: EmbeddingModel,
          inject: [OPTIONS, { token: ConfigService, optional: true }],
          useFactory: makeEmbeddingModel,
        },
      ],
      // Nothing is better than one that is undefined and hides that of the application.
      exports: [ChatModel, ...((options.embeddings ?? options.embeddingName) ? [EmbeddingModel] : [])],
    };
  }
}

/** A factory that throws would end the process under Nest's defaults; the bootstrap of AiModule rejects. */
async function makeChatModel(
  options: AiSdkModuleOptions,
  config: ConfigService | undefined,
  embeddingModel: EmbeddingModel | undefined,
): Promise<ChatModel> {
  const { options: defaultOptions, fallback } = options;
  const { properties, problems } = read(options, config);
  if (problems.length > 0) return new UnavailableChatModel(problems);
  const isUnset = Object.values(properties).every((value) => value === undefined);
  if (isUnset && fallback) return fallback;
  try {
    // What is wrong with the one is told with the other: nobody else asks for embeddings when the application starts.
    embeddingModel?.verify();
    return await createChatModel(properties, defaultOptions);
  } catch (error) {
    return new UnavailableChatModel([(error as Error).message]);
  }
}

/** @returns undefined when there is to be none */
async function makeEmbeddingModel(
  options: AiSdkModuleOptions,
  config: ConfigService | undefined,
): Promise<EmbeddingModel | undefined> {
  const { properties } = read(options, config);
  if (properties.embeddingName === undefined) return undefined;
  try {
    return await createEmbeddingModel(properties);
  } catch (error) {
    return new UnavailableEmbeddingModel(error);
  }
}

function read(
  { options: _options, fallback: _fallback, imports: _imports, embeddings: _embeddings, ...given }: AiSdkModuleOptions,
  config: ConfigService | undefined,
): ReturnType<typeof readModelProperties> {
  return readModelProperties(given, config);
}
