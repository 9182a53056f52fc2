/** The rows that a statement returned. */
export interface PostgresResult {
  readonly rows: readonly unknown[];
}

/** Sends statements over one connection. `pg.Client` is one. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
}

/** A message of `NOTIFY`. */
export interface PostgresNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** A connection of a pool. Release it with an error if it must not be used again. */
export interface PostgresConnection extends PostgresClient {
  /** The process of the server that runs its statements. */
  readonly processID?: number | null | undefined;
  release(error?: Error | boolean): void;
  /** Without a listener, a connection of `pg` that is lost between two statements ends the process. */
  on?(event: 'error', listener: () => void): unknown;
  on?(event: 'notification', listener: (message: PostgresNotification) => void): unknown;
  removeListener?(event: 'error', listener: () => void): unknown;
}

/** A pool of connections: `pg.Pool`, or another object with the same methods. */
export interface PostgresPool extends PostgresClient {
  /**
   * `max` is the most connections that it opens. Undefined: not known. `query_timeout` is the longest
   * wait for an answer, and `connectionTimeoutMillis` for a connection.
   */
  readonly options?: {
    readonly max?: number | undefined;
    readonly query_timeout?: number | undefined;
    readonly connectionTimeoutMillis?: number | undefined;
  };
  /** The number of connections that are open, and that nothing uses. */
  readonly idleCount?: number | undefined;
  connect(): Promise<PostgresConnection>;
  /** Without listeners, a connection of `pg` that is lost ends the process. */
  on?(event: 'acquire', listener: (connection: PostgresConnection) => void): unknown;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  removeListener?(event: 'acquire', listener: (connection: PostgresConnection) => void): unknown;
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}
