import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { OAuthProtectedResourceMetadata } from '@modelcontextprotocol/server';
import { MCP_SERVER_OPTIONS } from '../mcp-server.module-definition.js';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { SERVER_SDK, type ServerSdk } from '../server-sdk.js';
import { resourceUrlOf } from './resource-url.js';

/**
 * Tells clients without a token which authorization servers give tokens (RFC 9728). The path of
 * this document is fixed, so it has no global prefix. It is public, so no guards run.
 */
@Injectable()
export class ProtectedResource implements OnModuleInit {
  constructor(
    @Inject(MCP_SERVER_OPTIONS) private readonly options: McpServerModuleOptions,
    @Inject(SERVER_SDK) private readonly sdk: ServerSdk,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const { auth, name } = this.options;
    const adapter = this.adapterHost.httpAdapter;
    // Programs that serve stdio have no HTTP server.
    if (!auth || !adapter) return;
    const resource = resourceUrlOf(auth);
    const { pathname } = new URL(this.sdk.getOAuthProtectedResourceMetadataUrl(resource));
    const metadata: OAuthProtectedResourceMetadata = {
      resource: resource.href,
      authorization_servers: [...auth.authorizationServers],
      bearer_methods_supported: ['header'],
      ...(auth.requiredScopes && { scopes_supported: [...auth.requiredScopes] }),
      ...(name !== undefined && { resource_name: name }),
    };
    adapter.get(pathname, (_request: unknown, response: unknown) => adapter.reply(response, metadata, 200));
  }
}
