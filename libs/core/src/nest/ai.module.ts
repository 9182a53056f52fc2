import { type DynamicModule, type FactoryProvider, Module, type Provider } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { ChatMemoryRepository } from '../memory/chat-memory.repository.js';
import { ChatModel } from '../model/chat-model.js';
import {
  AI_MODULE_OPTIONS,
  type AiModuleOptions,
  type ASYNC_OPTIONS_TYPE,
  ConfigurableAiModule,
  type OPTIONS_TYPE,
} from './ai.module-definition.js';
import { AI_EXPORTS, AI_PROVIDERS } from './ai.providers.js';
import { AiRegistrar } from './ai.registrar.js';
import { AiApplication } from './checks/ai-application.js';
import { AiShutdownModule } from './ai-shutdown.module.js';
import { locateChatModel } from './located-chat-model.js';
import { AiEventsModule } from './events/ai-events.js';
import { AiExceptionFilter } from './filters/ai-exception.filter.js';
import { defaultsFirst, tokensOfPackages } from './package-providers.js';
import { AiFeatureModule } from './clients/feature.module.js';
import type { NamedClient, NamedClientAsync, NamedClientSurroundings } from './clients/named-client.js';
import { separateOwnConstructor } from './own-constructor.js';
import { BootstrapProblems } from './bootstrap-problems.js';
import { AttachedTypes } from './plugin-metadata/plugin-metadata.js';

/** Nest waits for it before it creates the explorer of tools, which injects it. */
const ATTACHED_TYPES: FactoryProvider<AttachedTypes> = {
  provide: AttachedTypes,
  inject: [AI_MODULE_OPTIONS, BootstrapProblems],
  useFactory: (options: AiModuleOptions | undefined, problems: BootstrapProblems) =>
    AttachedTypes.of(options?.pluginMetadata, problems),
};

/**
 * Lets a language model call the `@Tool()` methods of your providers.
 *
 * Provides `ChatClient`, `ChatClientBuilder`, `ToolCallingManager`, `ToolCallingAdvisor`,
 * `ToolCallbackResolver`, `ToolExecutionExceptionProcessor`, `ToolRegistry` and `AiProperties`. To
 * replace one of them, list a provider of the same token in `providers`.
 *
 * @example
 * \@Module({ imports: [AiModule.forRoot({ chatModel })], providers: [WeatherTools] })
 * export class AppModule {}
 */
@Module({})
export class AiModule extends ConfigurableAiModule {
  /** Nest asks the last filter first, so those of the application come before this one. */
  constructor(config: ApplicationConfig) {
    super();
    config.getGlobalFilters().unshift(new AiExceptionFilter());
  }

  /** Configures the module with options that you know when you write the module. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    const { chatModel } = options;
    const model: Provider[] = chatModel ? [{ provide: ChatModel, useValue: chatModel }] : [];
    return complete(super.forRoot(options), model, options.providers);
  }

  /**
   * Configures the module with options from a factory or a class. They can inject the exports of
   * `imports`.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    const model: Provider = {
      provide: ChatModel,
      inject: [DiscoveryService, AI_MODULE_OPTIONS],
      useFactory: (discovery: DiscoveryService, given: AiModuleOptions | undefined) =>
        locateChatModel(discovery, given?.chatModel),
    };
    return complete(super.forRootAsync(options), [model], options.providers);
  }

  /**
   * Creates named clients, or a single one. Each has its own model, tools, instructions and advisors. Inject one
   * with `@InjectChatClient(name)` in the module that imports this. Your application also needs
   * `AiModule.forRoot()`.
   *
   * @example
   * const support = { name: 'support', tools: [OrderTools], system: 'You help customers.' };
   *
   * \@Module({ imports: [AiModule.forFeature([support])] })
   * export class SupportModule {}
   */
  static forFeature(
    clients: NamedClient | readonly NamedClient[],
    context: NamedClientSurroundings = {},
  ): DynamicModule {
    return AiFeatureModule.of(clients, context);
  }

  /**
   * Like {@link forFeature}, with options from factories. They can inject the exports of `imports`.
   */
  static forFeatureAsync(
    clients: NamedClientAsync | readonly NamedClientAsync[],
    context: NamedClientSurroundings = {},
  ): DynamicModule {
    return AiFeatureModule.ofAsync(clients, context);
  }
}

/** Adds the default providers. They come first, since Nest uses the last provider of a token. */
function complete(definition: DynamicModule, model: Provider[], given: readonly Provider[] = []): DynamicModule {
  for (const provider of given) separateOwnConstructor('useClass' in provider ? provider.useClass : provider);
  const { providers: added = [] } = definition;
  const owned = [ChatModel, ChatMemoryRepository].filter((token) =>
    [...model, ...added, ...given].some((provider) => 'provide' in provider && provider.provide === token),
  );
  return {
    ...definition,
    imports: [DiscoveryModule, AiShutdownModule, AiEventsModule, ...(definition.imports ?? [])],
    providers: [...AI_PROVIDERS, ATTACHED_TYPES, AiApplication, AiRegistrar, ...model, ...defaultsFirst(added)],
    exports: [...AI_EXPORTS, AiEventsModule, ...owned, ...tokensOfPackages(added), ...(definition.exports ?? [])],
  };
}
