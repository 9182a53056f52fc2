import type { TurnSummary } from '@nestor-ai/turns';
import type { QueueOptions } from 'bullmq';

/** The connection to Redis or Valkey: its address, the options of `ioredis`, or a client of the application. */
export type BullConnection = string | QueueOptions['connection'];

/** The options of `BullAiModule.forRoot()`. The properties `ai.bullmq.*` take precedence. */
export interface BullAiModuleOptions {
  /** The connection to Redis or Valkey. Default: `redis://127.0.0.1:6379`. */
  readonly connection?: BullConnection;
  /**
   * Whether this process runs queued turns. `worker` and `both` do; `web` only queues them. Default:
   * `both`.
   */
  readonly role?: 'worker' | 'web' | 'both';
  /** What the keys in Redis begin with. Default: `nestor`. */
  readonly prefix?: string;
  /** How many turns a worker runs at once. Default: 10. */
  readonly concurrency?: number;
  /**
   * How many calls of long tools this process runs at once, by the name of their queue:
   * `@Tool({ job: { queue } })`. 0: none. Default: one of each queue.
   */
  readonly queues?: Readonly<Record<string, number>>;
  /**
   * How often in a row a turn is tried that fails, such as when the model is down, or that ends its
   * process. Default: 5.
   */
  readonly attempts?: number;
  /**
   * How often a worker looks for turns in the journal that no process holds, in milliseconds: those
   * of processes that died, and those whose jobs are lost. Default: 30,000.
   */
  readonly sweepInterval?: number;
  /**
   * Makes the request that guards and tools of a turn see, since a worker handles no HTTP request.
   * It is given to `.request(…)`. Default: none.
   *
   * @example
   * request: async ({ requester }) => ({ user: await users.find(requester) })
   */
  readonly request?: (turn: TurnSummary) => unknown;
}

/** The options that there are. */
export const OPTION_KEYS: readonly string[] = [
  'connection',
  'role',
  'prefix',
  'concurrency',
  'queues',
  'attempts',
  'sweepInterval',
  'request',
] satisfies (keyof BullAiModuleOptions)[];
