import {
  choiceProperty,
  durationProperty,
  integerProperty,
  type PropertyType,
  secretProperty,
  textProperty,
} from '@nestor-ai/core';

const POSITIVE = { allowed: 'a whole number greater than 0', accepts: (value: number): boolean => value > 0 };

/** The properties under `ai.bullmq`. */
export const BULLMQ_PROPERTIES = {
  /**
   * The address of Redis or Valkey: `redis://user:password@host:6379`.
   *
   * @default `redis://127.0.0.1:6379`
   */
  connection: addressProperty(),
  /** Whether this process runs queued turns: `worker` and `both` do; `web` only queues them. */
  role: choiceProperty('both', ['worker', 'web', 'both'] as const),
  /**
   * What the keys in Redis begin with.
   *
   * @default `nestor`
   */
  prefix: textProperty(),
  /** How many turns a worker runs at once. */
  concurrency: integerProperty(10, POSITIVE),
  /** How often in a row a turn is tried that fails, such as when the model is down, or that ends its process. */
  attempts: integerProperty(5, POSITIVE),
  /** How often a worker looks for turns in the journal that no process holds. */
  sweepInterval: durationProperty(30_000),
};

function addressProperty(): PropertyType<string | undefined> {
  return secretProperty({
    allowed: 'an address such as redis://user@host:6379',
    defaultValue: undefined,
    read: (value) => (typeof value === 'string' && /^rediss?:\/\/\S+$/.test(value.trim()) ? value.trim() : undefined),
  });
}
