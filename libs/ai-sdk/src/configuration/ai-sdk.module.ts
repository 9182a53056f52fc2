import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ChatModel, EmbeddingModel, getChatModelToken, ModelRouter } from '@nestor-ai/core';
import {
  AI_SDK_MODULE_OPTIONS,
  type ASYNC_OPTIONS_TYPE,
  ConfigurableAiSdkModule,
  type OPTIONS_TYPE,
} from './ai-sdk.module-definition.js';
import { AiSdkFeatureModule, type FeatureModel } from './ai-sdk-feature.module.js';
import { CONFIGURED_MODELS, type ConfiguredModels } from './configured-models.js';
import { makeChatModel, makeEmbeddingModel, makeModels } from './make-models.js';

const CONFIG = { token: ConfigService, optional: true };

/**
 * Provides the `ChatModel` configured by `ai.model.*` to the whole application, the models under
 * `ai.models` by name, and the `EmbeddingModel` if `ai.model.embedding-name` is set. If one cannot
 * be created, `AiModule` reports the reason at bootstrap.
 *
 * @example
 * imports: [ConfigModule.forRoot({ isGlobal: true }), AiSdkModule.forRoot(), AiModule.forRoot()]
 *
 * @example
 * imports: [AiSdkModule.forRoot({ model: anthropic('claude-sonnet-4-5') }), AiModule.forRoot()]
 */
@Module({})
export class AiSdkModule extends ConfigurableAiSdkModule {
  /** Configures the module with options that you know when you write the module. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    const { embeddings = options.embeddingName !== undefined, models = {} } = options;
    return complete(super.forRoot(options), embeddings, Object.keys(models));
  }

  /**
   * Configures the module with options from a factory or a class. They can inject the exports of
   * `imports`. To inject a model by its name, also list it in {@link forFeature}.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return complete(super.forRootAsync(options), options.embeddings === true, []);
  }

  /**
   * Provides models with a name to the module that imports this, for `@InjectChatModel(name)`.
   * Your application also needs {@link forRoot}.
   *
   * @param models names of `ai.models`, or models with a name, or one of them. Requests can choose all of them.
   *
   * @example
   * \@Module({ imports: [AiSdkModule.forFeature(['fast', { name: 'vision', model: openai('gpt-5') }])] })
   * export class SupportModule {}
   */
  static forFeature(models: string | FeatureModel | readonly (string | FeatureModel)[]): DynamicModule {
    return AiSdkFeatureModule.of(models);
  }
}

function complete(definition: DynamicModule, hasEmbeddings: boolean, names: readonly string[]): DynamicModule {
  const named = names.map((name): Provider => ({
    provide: getChatModelToken(name),
    inject: [CONFIGURED_MODELS],
    useFactory: (models: ConfiguredModels) => models.get(name),
  }));
  return {
    ...definition,
    providers: [
      ...(definition.providers ?? []),
      { provide: CONFIGURED_MODELS, inject: [AI_SDK_MODULE_OPTIONS, CONFIG], useFactory: makeModels },
      { provide: ModelRouter, useExisting: CONFIGURED_MODELS },
      {
        provide: ChatModel,
        inject: [AI_SDK_MODULE_OPTIONS, CONFIG, EmbeddingModel, CONFIGURED_MODELS],
        useFactory: makeChatModel,
      },
      { provide: EmbeddingModel, inject: [AI_SDK_MODULE_OPTIONS, CONFIG], useFactory: makeEmbeddingModel },
      ...named,
    ],
    // Exporting an undefined EmbeddingModel would hide the one of the application.
    exports: [
      ChatModel,
      ModelRouter,
      CONFIGURED_MODELS,
      ...names.map((name) => getChatModelToken(name)),
      ...(hasEmbeddings ? [EmbeddingModel] : []),
    ],
  };
}
