import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { AiExtension } from '@nestor-ai/core';
import { OwnProperties } from '@nestor-ai/core/internal';
import { CONFIGURED_SERVERS, readServers } from './configuration/configured-servers.js';
import { DefaultMcpSessions } from './connection/default-mcp-sessions.js';
import { McpSessions } from './connection/mcp-session.js';
import { McpCredentials } from './credentials/mcp-credentials.js';
import { McpSignIn } from './credentials/mcp-sign-in.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableMcpClientModule,
  MCP_CLIENT_MODULE_OPTIONS,
  type OPTIONS_TYPE,
} from './mcp-client.module-definition.js';
import { McpHealthIndicator } from './mcp-health.indicator.js';
import { McpServers } from './mcp-servers.js';
import { McpToolCallbackProvider } from './tools/mcp-tool-callback.provider.js';

/**
 * Connects the application to MCP servers, whose tools then belong to the tools of the model.
 *
 * @publicApi
 * @example
 * imports: [
 *   AiModule.forRoot(),
 *   McpClientModule.forRoot({ servers: [{ name: 'crm', url: 'https://crm.example.com/mcp' }] }),
 * ]
 */
@Module({
  providers: [
    { provide: AiExtension, useValue: new OwnProperties('mcp') },
    {
      provide: CONFIGURED_SERVERS,
      inject: [MCP_CLIENT_MODULE_OPTIONS, { token: ConfigService, optional: true }],
      useFactory: readServers,
    },
    // No request has a credential: all share one connection to each server.
    { provide: McpCredentials, useValue: { credentialOf: () => undefined } satisfies McpCredentials },
    DefaultMcpSessions,
    { provide: McpSessions, useExisting: DefaultMcpSessions },
    McpSignIn,
    McpHealthIndicator,
    McpToolCallbackProvider,
    McpServers,
  ],
  exports: [McpSessions, McpServers, McpSignIn, McpHealthIndicator],
})
export class McpClientModule extends ConfigurableMcpClientModule {
  /** Configures the module with options that you know when you write the module. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Configures the module with options from a factory or a class. They can inject the exports of
   * `imports`.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
