import { Injectable } from '@nestjs/common';
import { DefaultMcpSessions } from './connection/default-mcp-sessions.js';
import type { McpServerStatus } from './connection/server-state.js';

/** The part of a health check that shows the MCP servers. */
export type McpHealth<Key extends string = string> = Record<
  Key,
  { status: 'up' | 'down'; servers: Record<string, { status: McpServerStatus }> }
>;

/**
 * Shows in a health check of `@nestjs/terminus` which MCP servers can be used. It is `down` while
 * one of them is. It shows no addresses and no texts of servers.
 *
 * A server that no request has needed yet is `not-connected`, which counts as up. The check itself
 * only connects to servers that were down, to find out whether they are back.
 *
 * @publicApi
 * @example
 * check = () => this.health.check([() => this.mcp.isHealthy('mcp')]);
 */
@Injectable()
export class McpHealthIndicator {
  constructor(private readonly sessions: DefaultMcpSessions) {}

  /** @param key the name of the part in the result of the check */
  isHealthy<const Key extends string>(key: Key): McpHealth<Key> {
    const states = this.sessions.servers.map(({ name }) => {
      const connections = this.sessions.connectionsOf(name);
      // Without it, a process that gets no requests while it is unhealthy would stay so.
      connections.retry();
      return [name, { status: connections.state.status }] as const;
    });
    const isDown = states.some(([, { status }]) => status === 'down');
    const health = { status: isDown ? ('down' as const) : ('up' as const), servers: Object.fromEntries(states) };
    return { [key]: health } as McpHealth<Key>;
  }
}
