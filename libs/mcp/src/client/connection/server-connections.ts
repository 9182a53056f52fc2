import type { McpCredential } from '../credentials/mcp-credentials.js';
import type { McpServerConnection } from '../mcp-client.options.js';
import type { ConnectedSession } from './connected-session.js';
import { CredentialConnection } from './credential-connection.js';
import { ServerState } from './server-state.js';

/** How many users may be connected to a server. Further ones replace the users of longest ago. */
const MAX_CONNECTIONS = 100;

/** How long the connection of a user stays open without a request, in milliseconds. */
export const MAX_IDLE_TIME = 600_000;

/** The connections to one server: one for each credential, and one for requests without. */
export class ServerConnections {
  readonly state = new ServerState<CredentialConnection>();
  readonly #anonymous: CredentialConnection;
  /** By the key of the credential, the least recently used first. */
  readonly #ofUsers = new Map<string, CredentialConnection>();

  constructor(
    readonly server: McpServerConnection,
    private readonly maxConnections = MAX_CONNECTIONS,
  ) {
    this.#anonymous = new CredentialConnection(server, this.state);
  }

  session(credential: McpCredential | undefined): Promise<ConnectedSession> {
    return this.#connectionOf(credential).use(credential);
  }

  /** Lets the next request of a user connect at once, although the last attempt failed. */
  forgetFailures(credential: McpCredential): void {
    this.#ofUsers.get(credential.key)?.forgetFailures();
  }

  /** Connects again if the server was down and may be asked. Failures show in the state. */
  retry(): void {
    if (this.state.status === 'down') void this.state.failed?.connect().catch(() => {});
  }

  /** Closes the connections of users that were not used lately. */
  closeIdle(now = performance.now()): void {
    for (const [key, connection] of this.#ofUsers)
      if (connection.isIdle && now - connection.lastUsed > MAX_IDLE_TIME) this.#close(key, connection);
  }

  /** Closes all. Running calls are cancelled. */
  async close(): Promise<void> {
    await Promise.all([this.#anonymous, ...this.#ofUsers.values()].map((connection) => connection.close()));
  }

  #connectionOf(credential: McpCredential | undefined): CredentialConnection {
    if (!credential) return this.#anonymous;
    const { key } = credential;
    const connection = this.#ofUsers.get(key) ?? new CredentialConnection(this.server, this.state);
    this.#ofUsers.delete(key);
    this.#makeRoom();
    this.#ofUsers.set(key, connection);
    return connection;
  }

  #makeRoom(): void {
    if (this.#ofUsers.size < this.maxConnections) return;
    const oldest = [...this.#ofUsers].find(([, connection]) => connection.isIdle);
    if (oldest) this.#close(...oldest);
  }

  #close(key: string, connection: CredentialConnection): void {
    this.#ofUsers.delete(key);
    // Otherwise retry() would open it again.
    if (this.state.failed === connection) this.state.failed = this.#anonymous;
    void connection.close().catch(() => {});
    if (!this.#isConnected) this.state.disconnected();
  }

  get #isConnected(): boolean {
    return [this.#anonymous, ...this.#ofUsers.values()].some(({ session }) => session !== undefined);
  }
}
