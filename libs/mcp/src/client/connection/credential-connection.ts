import { Logger } from '@nestjs/common';
import type { McpServerConnection } from '../mcp-client.options.js';
import { CurrentAuthProvider, isOAuthProvider } from '../credentials/current-auth-provider.js';
import type { McpAuthProvider, McpCredential } from '../credentials/mcp-credentials.js';
import { BackOff } from './back-off.js';
import type { ConnectedSession, SessionEvents } from './connected-session.js';
import { McpConnectionException } from './mcp-connection.exception.js';
import { openSession } from './open-session.js';
import type { ServerState } from './server-state.js';

/** The connection to a server with one credential: at most one session at a time. */
export class CredentialConnection {
  private readonly logger = new Logger('McpClientModule');
  /** Waits after failures that other credentials may not have. */
  readonly #backOff = new BackOff();
  readonly #stop = new AbortController();
  #provider: McpAuthProvider | undefined;
  #connecting: Promise<ConnectedSession> | undefined;
  /** Sessions that only wait for their calls. */
  readonly #retired = new Set<ConnectedSession>();
  session: ConnectedSession | undefined;
  lastUsed = performance.now();

  constructor(
    private readonly server: McpServerConnection,
    private readonly state: ServerState<CredentialConnection>,
  ) {}

  /** Whether it can be closed without cancelling a call. */
  get isIdle(): boolean {
    return !this.#connecting && (this.session?.elicitations.areIdle ?? true);
  }

  /** The session. Concurrent callers share one attempt to connect. */
  use(credential: McpCredential | undefined): Promise<ConnectedSession> {
    this.lastUsed = performance.now();
    this.#take(credential?.authProvider);
    return this.connect();
  }

  /** The session, with the credential that was used last. */
  connect(): Promise<ConnectedSession> {
    if (this.session) return Promise.resolve(this.session);
    return (this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    }));
  }

  /** Tries again at once, for example after the user has signed in. */
  forgetFailures(): void {
    this.#backOff.reset();
  }

  /** Ends the connection, or the attempt to connect. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The connection attempt was stopped.'));
    await this.#connecting?.catch(() => {});
    const open = [...(this.session ? [this.session] : []), ...this.#retired];
    this.session = undefined;
    await Promise.all(open.map((session) => session.close()));
  }

  #take(provider: McpAuthProvider | undefined): void {
    if (!provider || isOAuthProvider(provider)) this.#provider = provider;
    else if (this.#provider instanceof CurrentAuthProvider) this.#provider.use(provider as CurrentAuthProvider);
    else this.#provider = new CurrentAuthProvider(provider as CurrentAuthProvider);
  }

  async #connect(): Promise<ConnectedSession> {
    const wait = Math.max(this.#backOff.remaining, this.state.backOff.remaining);
    if (wait > 0) {
      throw new McpConnectionException(
        this.server.name,
        `was not asked, because the last attempt failed. Nestor tries again after ${Math.ceil(wait / 1000)} s`,
        this.state.errorCode ?? 'EAGAIN',
      );
    }
    const opening = await openSession(this.server, this.#provider, this.#events, this.#stop.signal);
    if ('failure' in opening) {
      const { error, concernsCredential } = opening.failure;
      if (concernsCredential) this.#refused(error);
      else this.state.unreachable(error, this);
      throw error;
    }
    const { session } = opening;
    if (this.#stop.signal.aborted) {
      await session.close();
      throw new McpConnectionException(
        this.server.name,
        'was disconnected, because the application stops',
        'ECONNABORTED',
      );
    }
    this.session = session;
    this.state.connected();
    return session;
  }

  /** One user without a valid token is no fault of the application, so this is no warning. */
  #refused(error: McpConnectionException): void {
    this.logger.debug(error.message);
    this.#backOff.failed();
  }

  readonly #events: SessionEvents = {
    onLost: (session) => {
      if (this.#drop(session)) this.state.lost(this);
    },
    onUnsubscribed: (session) => {
      if (this.#drop(session)) this.state.disconnected();
    },
    onListed: (session, error) => {
      if (error === undefined) {
        this.#backOff.reset();
        this.state.backOff.reset();
        this.state.listed();
      } else if (this.#drop(session)) {
        this.#backOff.failed();
        // A user may lack a permission. Without a user, the server itself is at fault.
        if (!this.#provider) {
          this.state.lost(this);
          if (error instanceof McpConnectionException) this.state.listed(error);
        }
      }
    },
  };

  /** @returns whether it was the current session */
  #drop(session: ConnectedSession): boolean {
    if (this.session !== session) return false;
    this.session = undefined;
    this.#retired.add(session);
    void session.retire().finally(() => this.#retired.delete(session));
    return true;
  }
}
