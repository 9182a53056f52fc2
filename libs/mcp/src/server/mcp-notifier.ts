import { Inject, Injectable } from '@nestjs/common';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import { MCP_EVENT_BUS } from './mcp-event-bus.js';

/**
 * Tells MCP clients that something has changed. Clients of protocol 2026-07-28 subscribe to these
 * events. Clients of 2025 only learn over stdio that a list has changed, since HTTP serves them
 * without a session.
 */
@Injectable()
export class McpNotifier {
  constructor(@Inject(MCP_EVENT_BUS) private readonly bus: ServerEventBus) {}

  /** Clients should list the tools again. */
  toolsChanged(): void {
    this.bus.publish({ kind: 'tools_list_changed' });
  }

  /** Clients should list the prompts again. */
  promptsChanged(): void {
    this.bus.publish({ kind: 'prompts_list_changed' });
  }

  /** Clients should list the resources again. */
  resourcesChanged(): void {
    this.bus.publish({ kind: 'resources_list_changed' });
  }

  /**
   * Clients that watch a resource should read it again. Those that `visible` or a guard would not let
   * read it hear nothing.
   *
   * @param uri the URI of the resource
   */
  resourceUpdated(uri: string): void {
    this.bus.publish({ kind: 'resource_updated', uri });
  }
}
