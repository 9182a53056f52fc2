import { CERTIFICATE, remedyFor } from './remedies.js';

/**
 * PostgreSQL has refused a statement or cannot be reached. The message says what could not be done
 * and what to do. It contains no values, no contents and no connection string.
 */
export class PostgresException extends Error {
  override readonly name = 'PostgresException';

  /**
   * @param code the SQLSTATE of PostgreSQL, such as `42501`, or the code of the connection, such as
   * `ECONNREFUSED`; `POOL_TIMEOUT` if no connection of the pool was free, `POOL_CLOSED` if it was
   * ended; undefined if there is none
   */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }

  /** @param purpose what was to be done, such as `store a conversation` */
  static of(purpose: string, error: unknown): PostgresException {
    if (error instanceof PostgresException) return error;
    const code = codeOf(error);
    return new PostgresException(`Nestor could not ${purpose}: ${remedyFor(error, code)}`, code);
  }

  /**
   * Whether the connection was lost or refused, so that the same statement may succeed later. A
   * statement that writes may have been executed.
   */
  get isConnectionFailure(): boolean {
    return this.code === undefined || isConnectionCode(this.code);
  }
}

/**
 * Classes 08 and 57P of SQLSTATE, a server without room (53) or that does not write any more (25006), a
 * pool without a free connection, and the codes of Node.js.
 */
function isConnectionCode(code: string): boolean {
  return /^(?:08|53|57P|25006$|POOL_TIMEOUT$|E[A-Z_]+$)/.test(code) || CERTIFICATE.test(code);
}

function codeOf(error: unknown): string | undefined {
  const { code, errors } = (error ?? {}) as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  // Node.js tries several addresses of one name, and reports all failures.
  if (code === undefined && Array.isArray(errors)) return codeOf(errors[0]);
  if (typeof code === 'string') return /^\w{1,40}$/.test(code) ? code : undefined;
  return error instanceof Error ? poolCodeOf(error.message) : undefined;
}

/** The driver and the pool report these without a code. */
function poolCodeOf(message: string): string | undefined {
  if (/Query read timeout/i.test(message)) return 'ETIMEDOUT';
  // The statement was not sent.
  if (/timeout exceeded when trying to connect|terminated due to connection timeout/i.test(message))
    return 'POOL_TIMEOUT';
  return /Cannot use a pool after calling end/i.test(message) ? 'POOL_CLOSED' : undefined;
}
