import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { AiExtension, TOOL_CALLING_ADVISOR_OPTIONS } from '@nestor-ai/core';
import { ToolIndexChooser } from './tool-index.chooser.js';
import { ToolSearchAdvisors } from './tool-search-advisors.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableToolSearchModule,
  type OPTIONS_TYPE,
} from './tool-search.module-definition.js';

/**
 * Lets the model search for its tools instead of sending all of them with each request. It applies
 * where `ai.chat.client.tool-search-advisor.enabled` is true, and replaces the default
 * `ToolCallingAdvisor`. Nothing else changes. It needs `AiModule.forRoot()`.
 *
 * It searches with the `ToolIndex` that the application provides. Without one it searches by
 * keywords, and also by meaning if there is an `EmbeddingModel` or a `VectorStore`.
 *
 * @example
 * imports: [
 *   AiModule.forRoot({ chatModel }),
 *   ToolSearchModule.forRoot({ properties: { enabled: true } }),
 * ]
 */
@Module({
  imports: [DiscoveryModule],
  providers: [ToolIndexChooser, ToolSearchAdvisors, { provide: AiExtension, useExisting: ToolSearchAdvisors }],
  exports: [ToolSearchAdvisors],
})
export class ToolSearchModule extends ConfigurableToolSearchModule implements OnModuleInit {
  constructor(private readonly moduleRef: ModuleRef) {
    super();
  }

  /** Registers the module with static options. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Registers the module with options from a factory or class, which can inject the exports of
   * `imports`.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /** @throws Error when AiModule is missing, since nothing would use the search */
  onModuleInit(): void {
    try {
      this.moduleRef.get(TOOL_CALLING_ADVISOR_OPTIONS, { strict: false });
    } catch {
      throw new Error(
        'ToolSearchModule needs AiModule: import AiModule.forRoot() from @nestor-ai/core in your root module.',
      );
    }
  }
}
