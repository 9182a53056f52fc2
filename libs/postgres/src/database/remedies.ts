/** What to do about errors of PostgreSQL and of connections to it, by code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server does not accept connections. Start PostgreSQL, or correct ai.postgres.connection.',
  ENOTFOUND: 'the host name of the server is unknown. Correct ai.postgres.connection.',
  EAI_AGAIN: 'the host name of the server cannot be resolved now. Check DNS and ai.postgres.connection.',
  ENOENT: 'there is no socket of a server at this path. Start PostgreSQL, or correct ai.postgres.connection.',
  ETIMEDOUT:
    'the server does not answer in time. Check its load and its locks, and the network between the application and PostgreSQL.',
  '28P01': 'the server refuses the password. Correct the user or the password in ai.postgres.connection.',
  '28000': 'the server refuses this user. Correct ai.postgres.connection, or allow the user in pg_hba.conf.',
  '3D000': 'the database does not exist. Create it, or correct ai.postgres.connection.',
  '3F000': 'the schema does not exist. Set ai.postgres.migrate=apply once, or create it with printMigrations().',
  '42501':
    'the database user lacks a permission. Grant it CREATE on the schema for migrations, or SELECT, INSERT, UPDATE and DELETE on the tables.',
  '42P01': 'a table is missing. Set ai.postgres.migrate=apply once, or run the output of printMigrations().',
  '42703': 'a column is missing. Set ai.postgres.migrate=apply once, or run the output of printMigrations().',
  '53100': 'the disk of the server is full. Make room there.',
  '53200': 'the server is out of memory.',
  '53300': 'the server has no connection left. Lower the pool size of each replica, or raise max_connections.',
  '55P03': 'another transaction holds a lock for too long.',
  '57014': 'the statement took longer than its timeout. Check the load of the server and statement_timeout.',
  '57P01': 'the server has ended the connection. The next attempt opens a new one.',
  '57P02': 'the server has crashed. The next attempt opens a new connection.',
  '57P03': 'the server is starting or stopping. Try again when it accepts connections.',
  '25006': 'the server is read-only. Connect to the primary server, not to a replica.',
  POOL_TIMEOUT:
    'no connection of the pool was free in time, or the server did not answer. Raise the pool size (max), or find what holds connections.',
  POOL_CLOSED:
    'the connection pool is closed. The application is shutting down, or it has ended the pool that it gave to PostgresAiModule.',
  '40001': 'another transaction changed the same rows. Try again.',
  '40P01': 'two transactions waited for each other. Try again.',
};

/** Codes of Node.js for a certificate that it does not accept. */
export const CERTIFICATE = /CERT|LEAF_SIGNATURE/;

const LOST = 'the connection was lost. The next attempt opens a new one; check the server if this repeats.';

/** The reason of a failure and the remedy. It quotes nothing of the error, which may contain values. */
export function remedyFor(error: unknown, code: string | undefined): string {
  if (code !== undefined) {
    if (CERTIFICATE.test(code))
      return `Node.js refuses the certificate of the server (${code}). Renew it, connect to a host that it names, or set NODE_EXTRA_CA_CERTS to its authority.`;
    const refused = `PostgreSQL has refused the statement with SQLSTATE ${code}. The log of the server says why.`;
    return REMEDIES[code] ?? (/^E[A-Z_]+$/.test(code) ? LOST : refused);
  }
  const message = error instanceof Error ? error.message : '';
  // The driver reports these without a code.
  if (/SASL|password must be a string/i.test(message)) return REMEDIES['28P01']!;
  if (/SSL/i.test(message)) return 'the server and ai.postgres.connection disagree about SSL. Correct sslmode.';
  if (/connection|closed|not queryable/i.test(message)) return LOST;
  return `the driver failed with ${error instanceof Error ? error.name : typeof error}.`;
}
