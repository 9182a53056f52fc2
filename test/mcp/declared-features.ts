import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpHandler, type McpServerFactory, mergeCapabilities, Server } from '@modelcontextprotocol/server';
import { McpServerModule } from '@nestor-ai/mcp';
import { McpCompletionFeature } from '../../libs/mcp/src/server/completion/mcp-completion.feature.js';
import { McpPromptsFeature } from '../../libs/mcp/src/server/prompts/mcp-prompts.feature.js';
import { McpResourcesFeature } from '../../libs/mcp/src/server/resources/mcp-resources.feature.js';
import { startApplication } from '../nest/application.js';

const FEATURES = [McpResourcesFeature, McpPromptsFeature, McpCompletionFeature];

/** An application whose resources and prompts are served without a socket. */
export interface ServedApplication {
  readonly app: INestApplication;
  /** A client of protocol 2026-07-28. */
  modern(headers?: Record<string, string>): Promise<Client>;
  /** The official client of protocol 2025. */
  legacy(headers?: Record<string, string>): Promise<V1Client>;
}

/** Starts an application. Guards see `{ user, role }` from the headers of the same names. */
export async function serve(
  { imports = [], ...metadata }: ModuleMetadata,
  options: Parameters<typeof startApplication>[2] = {},
): Promise<ServedApplication> {
  const server = McpServerModule.forRoot({ http: false });
  const { app } = await startApplication({ ...metadata, imports: [...imports, server] }, [], options);
  const features = FEATURES.map((type) => app.get(type, { strict: false }));
  const factory: McpServerFactory = ({ era, requestInfo }) => {
    const capabilities = features.reduce(
      (merged, feature) => mergeCapabilities(merged, feature.capabilities ?? {}),
      {},
    );
    const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities });
    const request = { user: requestInfo?.headers.get('user'), role: requestInfo?.headers.get('role') };
    for (const feature of features) if (feature.capabilities) feature.serve(server, { request, era });
    return server;
  };
  const handler = createMcpHandler(factory);
  const url = new URL('http://localhost/mcp');
  const fetchIt = (input: URL | string | Request, init?: RequestInit) => handler.fetch(new Request(input, init));
  return {
    app,
    async modern(headers = {}) {
      const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetchIt, requestInit: { headers } }));
      return client;
    },
    async legacy(headers = {}) {
      const client = new V1Client({ name: 'test', version: '1.0.0' });
      await client.connect(new V1Transport(url, { fetch: fetchIt, requestInit: { headers } }));
      return client;
    },
  };
}
