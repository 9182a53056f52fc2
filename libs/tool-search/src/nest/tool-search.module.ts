import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { TOOL_CALLING_ADVISOR_OPTIONS, ToolLoopSource } from '@nestor-ai/core';
import { ToolIndexChooser } from './tool-index.chooser.js';
import { ToolSearchAdvisors } from './tool-search-advisors.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableToolSearchModule,
  type OPTIONS_TYPE,
} from './tool-search.module-definition.js';

/**
 * Lets the model search for its tools instead of being sent them all, wherever `ai.chat.client.tool-search-advisor.enabled` is
 * true: the search takes the place of the default `ToolCallingAdvisor`, and nothing else changes. Needs `AiModule.forRoot()`.
 *
 * Searches with the `ToolIndex` that the application provides; without one, by keywords, and by meaning as well where there is an
 * `EmbeddingModel` or a `VectorStore`.
 *
 * @example
 * imports: [AiModule.forRoot({ chatModel }), ToolSearchModule.forRoot({ properties: { enabled: true } })]
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ToolIndexChooser,
    ToolSearchAdvisors,
    // No alias: what discovery looks for is what provides it.
    { provide: ToolLoopSource, inject: [ToolSearchAdvisors], useFactory: (advisors: ToolLoopSource) => advisors },
  ],
  exports: [ToolSearchAdvisors],
})
export class ToolSearchModule extends ConfigurableToolSearchModule implements OnModuleInit {
  constructor(private readonly moduleRef: ModuleRef) {
    super();
  }

  /** With options that are known when the module is declared. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** With options made by a factory or a class, which may inject whatever `imports` export. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /** @throws Error when nobody would ask the search for anything */
  onModuleInit(): void {
    try {
      this.moduleRef.get(TOOL_CALLING_ADVISOR_OPTIONS, { strict: false });
    } catch {
      throw new Error(
        'ToolSearchModule needs AiModule: import AiModule.forRoot() of @nestor-ai/core in the application as well.',
      );
    }
  }
}
