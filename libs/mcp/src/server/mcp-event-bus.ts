import type { Provider } from '@nestjs/common';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import { MCP_SERVER_OPTIONS } from './mcp-server.module-definition.js';
import type { McpServerModuleOptions } from './mcp-server.options.js';
import { SERVER_SDK, type ServerSdk } from './server-sdk.js';

/** The token of the bus that carries events from `McpNotifier` to the clients that listen. */
export const MCP_EVENT_BUS = Symbol('MCP_EVENT_BUS');

export const eventBusProvider: Provider = {
  provide: MCP_EVENT_BUS,
  inject: [MCP_SERVER_OPTIONS, SERVER_SDK],
  useFactory: ({ bus }: McpServerModuleOptions, sdk: ServerSdk): ServerEventBus =>
    bus ?? new sdk.InMemoryServerEventBus(),
};
