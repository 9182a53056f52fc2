import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { AiBootstrapException, errorTypeOf, untilAborted } from '@nestor-ai/core';
import { type McpCredential, McpCredentials } from '../credentials/mcp-credentials.js';
import type { McpServerConnection } from '../mcp-client.options.js';
import { CONFIGURED_SERVERS, type ConfiguredServers } from '../configuration/configured-servers.js';
import { loadClientSdk } from './client-sdk.js';
import { createHttpTransport } from './http-transport.js';
import { McpConnectionException } from './mcp-connection.exception.js';
import { type McpSession, McpSessions } from './mcp-session.js';
import { ServerConnections } from './server-connections.js';

/** How often connections that are not used are looked for, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/** The connections of the application. */
@Injectable()
export class DefaultMcpSessions
  extends McpSessions
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  override readonly servers: readonly McpServerConnection[];
  readonly #connections: ReadonlyMap<string, ServerConnections>;
  #sweep: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    @Inject(CONFIGURED_SERVERS) private readonly configured: ConfiguredServers,
    private readonly credentials: McpCredentials,
  ) {
    super();
    this.servers = configured.servers;
    this.#connections = new Map(this.servers.map((server) => [server.name, new ServerConnections(server)]));
  }

  /** @throws AiBootstrapException with all mistakes in the configuration */
  onModuleInit(): void {
    if (this.configured.problems.length > 0) throw new AiBootstrapException(this.configured.problems);
  }

  /** @throws AiBootstrapException if a required server cannot be used */
  async onApplicationBootstrap(): Promise<void> {
    const required = this.servers.filter((server) => server.required);
    const attempts = await Promise.allSettled(
      required.map(async ({ name }) => (await this.session(name, undefined)).tools()),
    );
    const problems = attempts.flatMap((attempt, index) =>
      attempt.status === 'fulfilled'
        ? []
        : `${(attempt.reason as Error).message} To start without the server, set ai.mcp.servers.${required[index]!.name}.required to false.`,
    );
    if (problems.length === 0) return;
    await this.beforeApplicationShutdown();
    throw new AiBootstrapException(problems);
  }

  override async session(serverName: string, request: unknown, signal?: AbortSignal): Promise<McpSession> {
    // A testing module that was only compiled has not checked the configuration.
    this.onModuleInit();
    signal?.throwIfAborted();
    const connections = this.connectionsOf(serverName);
    const opening = this.credentialOf(serverName, request).then((credential) => {
      if (this.#isClosed) throw new McpConnectionException(serverName, 'was not asked, because the application stops');
      this.#startSweep();
      return connections.session(credential);
    });
    return signal ? untilAborted(signal, opening) : opening;
  }

  /**
   * The connections to a server.
   *
   * @throws Error if there is no such server
   */
  connectionsOf(serverName: string): ServerConnections {
    const connections = this.#connections.get(serverName);
    if (connections) return connections;
    const names = [...this.#connections.keys()].join(', ');
    throw new Error(
      `There is no MCP server '${serverName}'. ${names ? `Known: ${names}.` : 'No server is configured.'} Add it to the ` +
        `option servers of McpClientModule, or as ai.mcp.servers.${serverName}.`,
    );
  }

  /** Ends an OAuth sign-in. See `McpSignIn`. */
  async finishSignIn(serverName: string, request: unknown, callback: URLSearchParams): Promise<void> {
    const connections = this.connectionsOf(serverName);
    const credential = await this.credentialOf(serverName, request);
    if (!credential) {
      throw new McpConnectionException(
        serverName,
        'has no credential for this request. Check what McpCredentials returns',
      );
    }
    try {
      const transport = createHttpTransport(await loadClientSdk(), connections.server, credential.authProvider);
      await transport.finishAuth(callback);
    } catch (error) {
      const code = errorTypeOf(error);
      throw new McpConnectionException(
        serverName,
        `did not let the user sign in (${code}). Let the user try again`,
        code,
      );
    }
    connections.forgetFailures(credential);
  }

  /** Closes all connections. After `onModuleDestroy`, in which turns that still run end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await Promise.all([...this.#connections.values()].map((connections) => connections.close()));
  }

  private async credentialOf(serverName: string, request: unknown): Promise<McpCredential | undefined> {
    // A program has no requests that could carry a token.
    if (this.connectionsOf(serverName).server.command !== undefined) return undefined;
    let credential: McpCredential | undefined;
    try {
      credential = await this.credentials.credentialOf(serverName, request);
    } catch (error) {
      // Its message and its cause may contain a token.
      const code = errorTypeOf(error);
      throw new McpConnectionException(
        serverName,
        `has no credential for this request, because McpCredentials failed (${code})`,
        code,
      );
    }
    if (credential === undefined || credential === null) return undefined;
    const { key, authProvider } = credential as Partial<McpCredential>;
    if (typeof key === 'string' && key !== '' && typeof authProvider === 'object' && authProvider !== null)
      return credential;
    throw new McpConnectionException(
      serverName,
      'has no credential for this request, because McpCredentials returned no key or no authProvider. Return both, or undefined',
    );
  }

  #startSweep(): void {
    this.#sweep ??= setInterval(() => {
      for (const connections of this.#connections.values()) connections.closeIdle();
    }, SWEEP_INTERVAL).unref();
  }
}
