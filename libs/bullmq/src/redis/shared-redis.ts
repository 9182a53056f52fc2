import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Cluster, Redis } from 'ioredis';
import { BullSettings, retryStrategy, SILENCE } from '../nest/bull-settings.js';
import { codeOf, RedisException } from './redis.exception.js';

/** The longest wait for an answer of Redis, with the time to connect, in milliseconds. */
const TIMEOUT = 3000;

/** A script in Lua, which Redis runs as a whole. */
export interface LuaScript {
  /** The name of the command that runs it, without any of Redis' own names. */
  readonly name: string;
  /** The number of keys. All of them have the same hash tag, so that a cluster can run the script. */
  readonly keys: number;
  readonly lua: string;
}

/**
 * The connection for what processes share. It is opened at the first command. A command waits up to
 * three seconds for a Redis that is away, and then fails.
 */
@Injectable()
export class SharedRedis implements OnApplicationShutdown {
  #client: Redis | Cluster | undefined;
  /** The code of the last failure of the connection. Undefined while it works. */
  #failure: string | undefined;
  #isAway = false;
  #isClosed = false;
  private readonly logger = new Logger('BullAiModule');

  constructor(private readonly settings: BullSettings) {}

  /**
   * The name of a key. The id is hashed, so that it may have any characters and any length, and
   * names show no contents. Keys of the same id are on the same node of a cluster.
   *
   * @param kind what the key is for: `tool-rate`
   */
  key(kind: string, id: string): string {
    // UTF-16, since lone surrogates would all be the same in UTF-8.
    const hash = createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex');
    return `${this.settings.prefix}:${kind}:{${hash}}`;
  }

  /**
   * Sends a command.
   *
   * @param purpose completes "Nestor could not …" in an error: `count a call`
   * @throws RedisException that names the purpose and the remedy
   */
  call(purpose: string, command: string, ...values: readonly (string | number)[]): Promise<unknown> {
    return this.#run(purpose, (client) => client.call(command, ...values));
  }

  /** Like {@link call}, for a script. */
  run(
    purpose: string,
    { name, keys: numberOfKeys, lua }: LuaScript,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    return this.#run(purpose, (client) => {
      if (!(name in client)) client.defineCommand(name, { numberOfKeys, lua });
      const commands = client as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>;
      return commands[name]!(...keys, ...values);
    });
  }

  async #run(purpose: string, send: (client: Redis | Cluster) => Promise<unknown>): Promise<unknown> {
    if (this.#isClosed) throw RedisException.of(purpose, { code: 'CLOSED' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(RedisException.of(purpose, undefined, this.#failure ?? 'ETIMEDOUT')), TIMEOUT);
    });
    try {
      return await Promise.race([send((this.#client ??= this.#connect())), late]);
    } catch (error) {
      throw RedisException.of(purpose, error, this.#failure);
    } finally {
      clearTimeout(timer);
    }
  }

  #connect(): Redis | Cluster {
    const client = this.#createClient();
    // Without a listener, an error of the connection would be printed again and again.
    client.on('error', (error) => {
      this.#failure = codeOf(error);
      if (this.#isAway) return;
      this.#isAway = true;
      this.logger.error(
        `Redis cannot be reached (${this.#failure ?? 'unknown error'}). Until it is back, calls of tools with a rate limit ` +
          'and turns with a conversation fail. Check ai.bullmq.connection.',
      );
    });
    client.on('ready', () => {
      this.#isAway = false;
      this.#failure = undefined;
    });
    return client;
  }

  /** @throws RedisException if the application's client is none of ioredis */
  #createClient(): Redis | Cluster {
    const { connection } = this.settings;
    const own = {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      // Otherwise, a Redis that is away keeps the process for two seconds after its shutdown.
      disconnectTimeout: 100,
      retryStrategy,
      // A connection that was dropped silently is replaced, and its commands are sent again.
      socketTimeout: SILENCE,
    };
    if (connection instanceof Cluster) return connection.duplicate([], { lazyConnect: true });
    if (connection instanceof Redis) return connection.duplicate(own);
    if (Object.getPrototypeOf(connection) !== Object.prototype) {
      throw new RedisException(
        'BullAiModule.shared() needs a client of ioredis, and the option connection is another one. Pass an address, the ' +
          'options of ioredis, or a Redis or Cluster of ioredis.',
      );
    }
    const { url, ...options } = connection as { readonly url?: string };
    return url === undefined ? new Redis({ ...options, ...own }) : new Redis(url, { ...options, ...own });
  }

  /** Waits for the commands that were sent, and closes the connection. */
  async onApplicationShutdown(): Promise<void> {
    const client = this.#client;
    this.#isClosed = true;
    this.#client = undefined;
    if (!client) return;
    if (client.status === 'ready') await client.quit().catch(() => undefined);
    client.disconnect();
  }
}
