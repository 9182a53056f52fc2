/** How long PostgreSQL and the network may take. All in milliseconds. */
export interface PostgresTimes {
  /** The longest wait for a connection: longer than for an answer, since other statements may wait for that. */
  readonly connection: number;
  /** The longest wait for the answer to a statement, unless the pool has a `query_timeout`. */
  readonly statement: number;
  /** The same inside a transaction, where a statement may wait for the end of another transaction. */
  readonly transactionStatement: number;
  /** How often a connection that is kept asks the server something, if nothing else does. */
  readonly heartbeat: number;
  /** After which silence the server ends a connection that holds locks or a transaction. */
  readonly silence: number;
  /** How long the server lets a turn wait for its conversation before it has to ask again. */
  readonly wait: number;
}

/** `silence` is a little longer than the lease of a turn, 30 seconds by default. */
export const POSTGRES_TIMES: PostgresTimes = Object.freeze({
  connection: 15_000,
  statement: 10_000,
  transactionStatement: 60_000,
  heartbeat: 5_000,
  silence: 35_000,
  wait: 30_000,
});
