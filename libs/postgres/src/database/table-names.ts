/** The schema of the tables unless the application says otherwise. */
export const DEFAULT_SCHEMA = 'nestor';

/** PostgreSQL cuts longer names off, and two names could become the same. */
const LONGEST_NAME = 63;

/** Quotes a name, so that it is never read as SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The names of tables in SQL: with their schema, and quoted. */
export class TableNames {
  /** @throws RangeError when the schema cannot be used */
  constructor(readonly schema: string) {
    const isName = typeof schema === 'string' && schema !== '' && !schema.includes('\0');
    if (isName && Buffer.byteLength(schema) <= LONGEST_NAME) return;
    throw new RangeError(
      `The option schema of PostgresAiModule must be a name of 1 to ${LONGEST_NAME} bytes without NUL characters. Change ai.postgres.schema.`,
    );
  }

  /** A table: `"nestor"."chat_messages"`. */
  of(name: string): string {
    return `${quoted(this.schema)}.${quoted(name)}`;
  }
}
