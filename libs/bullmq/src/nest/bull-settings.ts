import { type PropertySource, readProperties } from '@nestor-ai/core';
import type { TurnSummary } from '@nestor-ai/turns';
import type { QueueOptions } from 'bullmq';
import { type BullAiModuleOptions, OPTION_KEYS } from './bull-ai.options.js';
import { BULLMQ_PROPERTIES } from './bullmq-properties.js';

const DEFAULT_PREFIX = 'nestor';
const DEFAULT_ADDRESS = 'redis://127.0.0.1:6379';

/** How long a command of a caller may be without an answer before the connection is replaced, in milliseconds. */
export const SILENCE = 1500;

/** The same for a worker, in milliseconds. It is silent for ten seconds while it waits for a job. */
const SILENCE_OF_WORKERS = 12_000;

/** The longest wait before the next attempt to connect, in milliseconds. */
const MAX_RETRY_DELAY = 1000;

export const retryStrategy = (times: number): number => Math.min(times * 50, MAX_RETRY_DELAY);

/** The settings of the module: its options and the properties. */
export class BullSettings {
  private constructor(
    readonly connection: QueueOptions['connection'],
    readonly runsTurns: boolean,
    readonly prefix: string,
    readonly concurrency: number,
    readonly queues: Readonly<Record<string, number>>,
    readonly attempts: number,
    readonly sweepInterval: number,
    readonly request: ((turn: TurnSummary) => unknown) | undefined,
  ) {}

  /** @throws Error that names all mistakes in the options and properties */
  static read(options: BullAiModuleOptions | undefined, source: PropertySource | undefined): BullSettings {
    if (typeof options !== 'object' || options === null)
      throw new Error('The factory of BullAiModule.forRootAsync() returned no options. Return at least {}.');
    const { connection, request, queues = {}, ...plain } = options;
    const given = { ...plain, ...(typeof connection === 'string' && { connection }) };
    const { properties, problems } = readProperties(BULLMQ_PROPERTIES, 'ai.bullmq', given, source);
    const unknown = Object.keys(options).filter((key) => !OPTION_KEYS.includes(key));
    const all = [
      ...unknown.map((key) => `BullAiModule has no option '${key}'. Known: ${OPTION_KEYS.join(', ')}.`),
      ...(unknown.length > 0 ? [] : problems),
      ...(request === undefined || typeof request === 'function'
        ? []
        : ['The option request of BullAiModule is no function.']),
      ...Object.entries(queues).flatMap(([queue, jobs]) =>
        Number.isInteger(jobs) && jobs >= 0
          ? []
          : [`The option queues.${queue} of BullAiModule must be a whole number, 0 or more, but is ${String(jobs)}.`],
      ),
    ];
    if (all.length > 0) throw new Error(all.join('\n'));
    const { role, prefix, concurrency, attempts, sweepInterval } = properties;
    const address = properties.connection ?? connection ?? DEFAULT_ADDRESS;
    return new BullSettings(
      typeof address === 'string' ? { url: address } : address,
      role !== 'web',
      prefix ?? DEFAULT_PREFIX,
      concurrency,
      queues,
      attempts,
      sweepInterval,
      request,
    );
  }

  /**
   * The options of a connection. A queue does not wait for a Redis that is away: its caller gets an
   * error at once. A worker waits for it to come back. Either replaces a connection that was dropped
   * silently, and sends its commands again.
   */
  connectionFor(use: 'queue' | 'worker'): QueueOptions['connection'] {
    const { connection } = this;
    if (!isPlainOptions(connection)) return connection;
    if (use === 'worker') return { socketTimeout: SILENCE_OF_WORKERS, ...connection };
    return {
      socketTimeout: SILENCE,
      retryStrategy,
      ...connection,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
    };
  }
}

/** Whether they are options, and not a client of the application. */
function isPlainOptions(
  connection: QueueOptions['connection'],
): connection is Extract<typeof connection, { url?: string }> {
  return Object.getPrototypeOf(connection) === Object.prototype;
}
