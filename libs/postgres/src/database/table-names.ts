/** Where the tables are. */
export interface TableLocation {
  /** The schema of the tables. */
  readonly schema: string;
  /** What the name of each table, index and lock begins with. */
  readonly prefix: string;
}

/** PostgreSQL cuts longer names off, and two names could become the same. */
const LONGEST_NAME = 63;

/** The longest name of a table or an index without the prefix. */
export const LONGEST_OWN_NAME = 40;

/** Quotes a name, so that it is never read as SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The names of tables and indexes in SQL: with schema and prefix, and quoted. */
export class TableNames {
  /** @throws RangeError when the schema or the prefix cannot be used */
  constructor(readonly location: TableLocation) {
    const { schema, prefix } = location;
    requireName('schema', schema, LONGEST_NAME);
    if (prefix !== '') requireName('prefix', prefix, LONGEST_NAME - LONGEST_OWN_NAME);
  }

  /** A table or an index: `"nestor"."chat_messages"`. */
  of(name: string): string {
    return `${quoted(this.location.schema)}.${this.bare(name)}`;
  }

  /** The name of an index in `CREATE INDEX`, which must not have a schema. */
  bare(name: string): string {
    if (name.length > LONGEST_OWN_NAME)
      throw new RangeError(`The name ${name} has more than ${LONGEST_OWN_NAME} letters.`);
    return quoted(this.location.prefix + name);
  }
}

function requireName(option: string, name: string, longest: number): void {
  if (typeof name === 'string' && name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= longest) return;
  throw new RangeError(
    `The option ${option} of PostgresAiModule must be a name of 1 to ${longest} bytes without NUL characters. Change ai.postgres.${option}.`,
  );
}
