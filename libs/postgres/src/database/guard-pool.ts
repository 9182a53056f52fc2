import { Logger } from '@nestjs/common';
import { PostgresException } from './postgres.exception.js';
import type { PostgresConnection, PostgresPool } from './postgres-pool.js';

const logger = new Logger('PostgresAiModule');

/**
 * Keeps the end of a connection from ending the process, also in a pool of the application.
 *
 * `pg-pool` takes its listener off a client before it lends the client. If the server ends the
 * connection with the same bytes that freed it, the client emits `error` before its borrower has it.
 */
export function guardPool(pool: PostgresPool): void {
  if (!pool.on) return;
  // A pool may have several databases.
  pool.removeListener?.('acquire', guardConnection);
  pool.removeListener?.('error', logLost);
  pool.on('acquire', guardConnection);
  pool.on('error', logLost);
}

/** Keeps the end of a borrowed connection from ending the process. */
export function guardConnection(connection: PostgresConnection): void {
  connection.removeListener?.('error', leaveToNextStatement);
  connection.on?.('error', leaveToNextStatement);
}

/** The next statement over the connection fails, and its error is the one that is reported. */
function leaveToNextStatement(): void {}

/** The pool replaces a connection that nothing used. */
function logLost(error: Error): void {
  logger.warn(PostgresException.of('keep an idle connection', error).message);
}
