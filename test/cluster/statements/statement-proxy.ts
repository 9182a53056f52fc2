import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where the network stops. */
export interface Stop {
  /** The number of the statement, from 1. */
  readonly at: number;
  /** Whether the server runs it. Its answer stays here. */
  readonly isRun: boolean;
  /** Called when nothing passes any more. */
  readonly reached: () => void;
}

/** Statements that come at any time, so that their number says nothing. */
const UNCOUNTED = /^(?:LISTEN|SELECT 1$)/;

/**
 * Counts the statements that a process sends to PostgreSQL, and lets nothing pass from one of them on.
 * So a process can be ended or stopped exactly before a statement, or after it without its answer.
 */
export class StatementProxy {
  readonly statements: string[] = [];
  readonly #held: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();
  #stop: Stop | undefined;
  #isClosed = false;

  private constructor(private readonly listener: Server) {}

  /** @param server its address: `postgres://localhost:5432/test` */
  static async open({ hostname, port }: URL): Promise<StatementProxy> {
    const listener = createServer();
    const proxy = new StatementProxy(listener);
    listener.on('connection', (client) => proxy.#link(client, connect(Number(port || 5432), hostname)));
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Counts from now on. */
  count(stop?: Stop): void {
    this.statements.length = 0;
    this.#stop = stop;
  }

  /** Lets everything pass that was held back. */
  release(): void {
    this.#isClosed = false;
    this.#stop = undefined;
    for (const pass of this.#held.splice(0)) pass();
  }

  /** The process is gone. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  #link(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    /** Whether the answer to the last statement is the one that stays here. */
    let isLast = false;
    const statements = new Statements();
    client.on('data', (data) => {
      for (const { bytes, sql } of statements.read(data)) {
        const pass = (): void => void server.write(bytes);
        const stop = sql === undefined || UNCOUNTED.test(sql) ? undefined : this.#counted(sql);
        if (stop) {
          this.#isClosed = true;
          if (stop.isRun) {
            isLast = true;
            pass();
          } else {
            this.#held.push(pass);
            stop.reached();
          }
        } else if (this.#isClosed) this.#held.push(pass);
        else pass();
      }
    });
    server.on('data', (data) => {
      const pass = (): void => void client.write(data);
      if (!this.#isClosed) return pass();
      this.#held.push(pass);
      // The last message of each answer: ready for the next statement.
      if (!isLast || data.at(-6) !== 90) return;
      isLast = false;
      this.#stop?.reached();
    });
  }

  /** @returns the stop, if it is this statement */
  #counted(sql: string): Stop | undefined {
    if (this.#isClosed) return undefined;
    this.statements.push(sql.replaceAll(/\s+/g, ' ').slice(0, 60));
    return this.#stop?.at === this.statements.length ? this.#stop : undefined;
  }
}

/** Divides what a client says into statements. Other messages come one by one, without `sql`. */
class Statements {
  #rest = Buffer.alloc(0);
  #statement: Buffer[] = [];
  #sql: string | undefined;
  #isStarted = false;

  *read(data: Buffer): Generator<{ readonly bytes: Buffer; readonly sql: string | undefined }> {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      // The first message of a connection has no type.
      const head = this.#isStarted ? 1 : 0;
      if (this.#rest.length < head + 4) return;
      const end = head + this.#rest.readUInt32BE(head);
      if (this.#rest.length < end) return;
      const message = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      const type = this.#isStarted ? String.fromCharCode(message[0]!) : '';
      this.#isStarted = true;
      if (type === 'Q') this.#sql = text(message, 5);
      // The name of the statement comes first.
      if (type === 'P') this.#sql = text(message, message.indexOf(0, 5) + 1);
      if (type === 'S') this.#sql ??= 'a prepared statement';
      this.#statement.push(message);
      // A statement ends with Query or Sync. Nothing else waits for an answer.
      if ('PBDECH'.includes(type) && type) continue;
      yield { bytes: Buffer.concat(this.#statement.splice(0)), sql: this.#sql };
      this.#sql = undefined;
    }
  }
}

const text = (message: Buffer, from: number): string => message.toString('utf8', from, message.indexOf(0, from));
