import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AiExtension } from '@nestor-ai/core';
import { AuditExtension } from './audit.extension.js';

/** The options of `AiAuditModule.forRoot()`. */
export interface AiAuditModuleOptions {
  /** A provider of `ToolAuditSink`, in place of the property `ai.audit.sink`. */
  readonly providers?: Provider[];
  /** Modules that export the dependencies of `providers`. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/**
 * Records the tool calls of the application: who called what, with which arguments, and what came of
 * it. The properties `ai.audit.*` say where. Needs `AiModule.forRoot()`.
 *
 * @publicApi
 * @example
 * imports: [AiModule.forRoot({ chatModel }), AiAuditModule] // with AI_AUDIT_SINK=console
 */
@Module({
  imports: [DiscoveryModule],
  providers: [{ provide: AiExtension, useClass: AuditExtension }],
})
export class AiAuditModule {
  /** Records with a sink of your own, such as `PostgresToolAuditSink`. */
  static forRoot({ providers = [], imports = [] }: AiAuditModuleOptions = {}): DynamicModule {
    return { module: AiAuditModule, imports, providers };
  }
}
