import { choiceProperty, durationProperty, type PropertyType, secretProperty, textProperty } from '@nestor-ai/core';
import { DEFAULT_EVENT_RETENTION } from '@nestor-ai/turns';

/** The properties under `ai.postgres`. */
export const POSTGRES_PROPERTIES = {
  /**
   * The connection string of the database: `postgres://user:password@host:5432/database`. Without it
   * and without options in code, the environment variables of PostgreSQL apply, such as `PGHOST`.
   */
  connection: connectionProperty(),
  /**
   * The schema of the tables.
   *
   * @default `nestor`
   */
  schema: textProperty(),
  /**
   * What happens to the schema when the application starts: missing migrations are applied
   * (`apply`), the application refuses to start without them (`check`), or nothing (`off`).
   */
  migrate: choiceProperty('apply', ['apply', 'check', 'off'] as const),
  /** How long to keep the events of a turn after the last one. Readers cannot reconnect after that. */
  eventRetention: durationProperty(DEFAULT_EVENT_RETENTION),
};

function connectionProperty(): PropertyType<string | undefined> {
  return secretProperty({
    allowed: 'a connection string such as postgres://user@host:5432/database',
    defaultValue: undefined,
    read: (value) =>
      typeof value === 'string' && /^(?:postgres(?:ql)?|socket):\/?\S+$/.test(value.trim()) ? value.trim() : undefined,
  });
}
