import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AiBootstrapException } from '@nestor-ai/core';
import type { Server, ServerCapabilities, ServerOptions } from '@modelcontextprotocol/server';
import type { McpCaller } from './mcp-caller.js';
import { McpFeature } from './mcp-feature.js';
import { MCP_SERVER_OPTIONS } from './mcp-server.module-definition.js';
import type { McpServerModuleOptions } from './mcp-server.options.js';
import { serverOptionProblems } from './server-option-problems.js';
import { McpToolsFeature } from './tools/mcp-tools.feature.js';
import { SERVER_SDK, type ServerSdk } from './server-sdk.js';

/** What is the same for all callers. */
interface Served {
  readonly features: readonly McpFeature[];
  readonly introduction: { readonly name: string; readonly version: string };
  readonly options: ServerOptions;
}

/** Makes a server of the SDK for each caller, with all features of the application. */
@Injectable()
export class McpServerFactory {
  #served: Served | undefined;

  /** @throws AiBootstrapException if the options are wrong */
  constructor(
    @Inject(MCP_SERVER_OPTIONS) private readonly options: McpServerModuleOptions,
    @Inject(SERVER_SDK) private readonly sdk: ServerSdk,
    private readonly discovery: DiscoveryService,
  ) {
    const problems = serverOptionProblems(options);
    if (problems.length > 0) throw new AiBootstrapException(problems);
  }

  /** Called for each HTTP request, so it does little. */
  create(caller: McpCaller): Server {
    const { features, introduction, options } = (this.#served ??= this.#findServed());
    const server = new this.sdk.Server(introduction, options);
    for (const feature of features) feature.serve(server, caller);
    return server;
  }

  /** The features are providers of any module. Nest has created them before the first request. */
  #findServed(): Served {
    const providers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    const features = [...new Set(providers)]
      .filter((instance) => instance instanceof McpFeature)
      .filter(({ capabilities }) => capabilities !== undefined)
      // First, so that a feature of the application can serve tools in its own way.
      .sort((a, b) => Number(b instanceof McpToolsFeature) - Number(a instanceof McpToolsFeature));
    const capabilities = features.reduce<ServerCapabilities>(
      (merged, feature) => this.sdk.mergeCapabilities(merged, feature.capabilities!),
      {},
    );
    const { name = 'nest-app', version = '1.0.0', instructions } = this.options;
    return {
      features,
      introduction: { name, version },
      options: { capabilities, ...(instructions !== undefined && { instructions }) },
    };
  }
}
