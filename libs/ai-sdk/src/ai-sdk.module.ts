import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ChatModel, type ChatOptions } from '@nestor-ai/core';
import { type AiModelProperties, createChatModel, readModelProperties } from './create-chat-model.js';
import { UnavailableChatModel } from './unavailable-chat-model.js';

/** The options of `AiSdkModule.forRoot()`; the properties `ai.model.*` win over them. */
export interface AiSdkModuleOptions extends Partial<AiModelProperties> {
  /** Used where a request sets nothing else. */
  options?: ChatOptions;
  /** The model when no `ai.model.*` is set: for development and tests without one. Default: none. */
  fallback?: ChatModel;
  /** Modules that export what the module injects: `ConfigModule`, where it is not global. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const OPTIONS = Symbol('nestor.AiSdkModuleOptions');

/**
 * Provides the `ChatModel` that `ai.model.*` describes to the whole application. When it cannot be made, `AiModule` says
 * why at bootstrap.
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
          inject: [OPTIONS, { token: ConfigService, optional: true }],
          useFactory: makeChatModel,
        },
      ],
      exports: [ChatModel],
    };
  }
}

/** A factory that throws would end the process under Nest's defaults; the bootstrap of AiModule rejects. */
async function makeChatModel(options: AiSdkModuleOptions, config: ConfigService | undefined): Promise<ChatModel> {
  const { options: defaultOptions, fallback, imports: _imports, ...given } = options;
  const { properties, problems } = readModelProperties(given, config);
  if (problems.length > 0) return new UnavailableChatModel(problems);
  const isUnset = Object.values(properties).every((value) => value === undefined);
  if (isUnset && fallback) return fallback;
  try {
    return await createChatModel(properties, defaultOptions);
  } catch (error) {
    return new UnavailableChatModel([(error as Error).message]);
  }
}
