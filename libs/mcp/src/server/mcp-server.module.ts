import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApplicationTools } from './application-tools.js';
import { McpMethods } from './calls/mcp-methods.js';
import { McpCompletionFeature } from './completion/mcp-completion.feature.js';
import { BearerTokens } from './http/bearer-tokens.js';
import { AllowedSites } from './http/allowed-sites.js';
import { CallerEventBus } from './http/caller-event-bus.js';
import { createMcpController } from './http/mcp-controller.factory.js';
import { MCP_CONTROLLER, McpDoor } from './http/mcp-door.guard.js';
import { McpHttpHandler } from './http/mcp-http-handler.js';
import { ProtectedResource } from './http/protected-resource.js';
import { ClientInput } from './input/client-input.js';
import { eventBusProvider } from './mcp-event-bus.js';
import { McpNotifier } from './mcp-notifier.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableMcpServerModule,
  DEFAULT_PATH,
  type OPTIONS_TYPE,
} from './mcp-server.module-definition.js';
import type { McpServerModuleExtras } from './mcp-server.options.js';
import { McpServerFactory } from './mcp-server.factory.js';
import { McpPromptsFeature } from './prompts/mcp-prompts.feature.js';
import { McpPromptCatalog } from './prompts/prompt-catalog.js';
import { McpResourcesFeature } from './resources/mcp-resources.feature.js';
import { McpResourceCatalog } from './resources/resource-catalog.js';
import { McpResourceSubscriptions } from './resources/resource-subscriptions.js';
import { serverSdkProvider } from './server-sdk.js';
import { McpStdioServer } from './stdio/mcp-stdio-server.js';
import { McpToolsFeature } from './tools/mcp-tools.feature.js';

/**
 * Makes an MCP server of the application. MCP clients can call its tools with
 * `@Tool({ mcp: true })`, with the same guards, validation and approvals as your model.
 *
 * @example
 * imports: [AiModule.forRoot(), McpServerModule.forRoot({ name: 'shop', guards: [AuthGuard] })]
 */
@Module({})
export class McpServerModule extends ConfigurableMcpServerModule {
  /** Configures the server with options that you know when you write the module. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return complete(super.forRoot(options), options);
  }

  /**
   * Configures the server with options from a factory or a class. The options that make the
   * endpoint, `path`, `http` and `guards`, stand beside the factory.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return complete(super.forRootAsync(options), options);
  }
}

function complete(definition: DynamicModule, extras: McpServerModuleExtras): DynamicModule {
  const { http = true, path = DEFAULT_PATH, guards = [] } = extras;
  const controller = http ? createMcpController(path, guards) : undefined;
  return {
    ...definition,
    imports: [...(definition.imports ?? []), DiscoveryModule],
    controllers: controller ? [controller] : [],
    providers: [
      ...(definition.providers ?? []),
      serverSdkProvider,
      eventBusProvider,
      McpNotifier,
      McpServerFactory,
      ClientInput,
      McpToolsFeature,
      ApplicationTools,
      McpMethods,
      McpResourceCatalog,
      McpResourceSubscriptions,
      McpPromptCatalog,
      McpResourcesFeature,
      McpPromptsFeature,
      McpCompletionFeature,
      McpStdioServer,
      ...(controller ? httpProviders(controller) : []),
    ],
    exports: [McpNotifier, McpStdioServer],
  };
}

function httpProviders(controller: Type): Provider[] {
  const endpoint = { provide: MCP_CONTROLLER, useValue: controller };
  return [endpoint, AllowedSites, BearerTokens, CallerEventBus, McpDoor, McpHttpHandler, ProtectedResource];
}
