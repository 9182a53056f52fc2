import { Client, StreamableHTTPClientTransport, type Tool, type Transport } from '@modelcontextprotocol/client';
import { type McpServerConnection } from '@nestor-ai/mcp';
import {
  type ElicitationHandler,
  type McpSession,
  McpSessions,
} from '../../../libs/mcp/src/client/connection/mcp-session.js';
import type { Remote } from './remote.js';

/** A server of a test: how to reach it, and its options. */
export interface TestServer extends McpServerConnection {
  readonly remote?: Remote;
  readonly transport?: () => Transport | Promise<Transport>;
}

class TestSession implements McpSession {
  #tools: Promise<readonly Tool[]> | undefined;
  #elicit: ElicitationHandler | undefined;

  constructor(
    readonly server: McpServerConnection,
    readonly client: Client,
  ) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.#elicit!(params, mcpReq.signal));
  }

  tools(): Promise<readonly Tool[]> {
    return (this.#tools ??= this.client
      .listTools(undefined, { cacheMode: 'refresh' })
      .then(({ tools }) => Object.freeze(tools)));
  }

  /** As the announcement of a server that its list has changed. */
  forget(): void {
    this.#tools = undefined;
  }

  withElicitation<T>(handler: ElicitationHandler, call: () => Promise<T>): Promise<T> {
    this.#elicit = handler;
    return call();
  }
}

/** Sessions without sockets: one for each server and user. The user is the property `user` of the request. */
export class TestSessions extends McpSessions {
  readonly #sessions = new Map<string, Promise<TestSession>>();
  readonly #clients: Client[] = [];
  /** The sessions that were asked for, as `server user`. */
  readonly asked: string[] = [];

  constructor(readonly servers: readonly TestServer[]) {
    super();
  }

  session(serverName: string, request: unknown): Promise<TestSession> {
    const { user = 'nobody' } = (request ?? {}) as { user?: string };
    const key = `${serverName} ${user}`;
    this.asked.push(key);
    let session = this.#sessions.get(key);
    if (!session) this.#sessions.set(key, (session = this.#open(serverName, user)));
    session.catch(() => this.#sessions.delete(key));
    return session;
  }

  /** As a server that announces a changed list, or a connection that was lost. */
  async changed({ reconnect = false } = {}): Promise<void> {
    for (const session of this.#sessions.values()) (await session).forget();
    if (reconnect) this.#sessions.clear();
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #open(serverName: string, user: string): Promise<TestSession> {
    const server = this.servers.find(({ name }) => name === serverName)!;
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      {
        versionNegotiation: { mode: 'auto' },
        inputRequired: { autoFulfill: false },
        capabilities: { elicitation: { form: {}, url: {} } },
      },
    );
    this.#clients.push(client);
    await client.connect((await server.transport?.()) ?? httpTransport(server, user));
    return new TestSession(server, client);
  }
}

function httpTransport({ name, remote }: TestServer, user: string): Transport {
  return new StreamableHTTPClientTransport(new URL(`http://${name}.example/mcp`), {
    fetch: remote!.fetch,
    requestInit: { headers: { 'x-user': user } },
  });
}
