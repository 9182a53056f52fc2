import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../free-port.mjs';
import { TcpProxy } from '../../tcp-proxy.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const HOUR = 3_600_000;

/** By how much the clocks of replicas are wrong, in milliseconds. The others have the right time. */
const CLOCK_SHIFTS: readonly (number | undefined)[] = [undefined, HOUR, -HOUR];

/** What replicas need of servers: the name of an environment variable, and the address. */
export type ServerUrls = Readonly<Record<string, string>>;

interface Replica {
  readonly port: number;
  readonly clockShift: number;
  /** The network between the replica and each server. */
  readonly proxies: readonly TcpProxy[];
  readonly environment: Readonly<Record<string, string>>;
  child?: ChildProcess;
  /** Whether something happens to it, so that it must not be killed. */
  isTaken: boolean;
}

/** The processes of one application, which fail in all the ways in which processes and machines do. */
export class Replicas {
  readonly #log: WriteStream;
  kills = 0;
  isOver = false;

  private constructor(
    private readonly replicas: readonly Replica[],
    logFile: string,
  ) {
    this.#log = createWriteStream(logFile);
  }

  static async start(
    count: number,
    servers: ServerUrls,
    environment: Readonly<Record<string, string>>,
    logFile: string,
  ): Promise<Replicas> {
    const all: Replica[] = [];
    for (let index = 0; index < count; index++) all.push(await prepare(index, servers, environment));
    const replicas = new Replicas(all, logFile);
    // The first one creates the tables.
    for (const replica of all) await replicas.#start(replica);
    return replicas;
  }

  get ports(): readonly number[] {
    return this.replicas.map(({ port }) => port);
  }

  /** Kills a replica without warning and starts it again. */
  async kill(): Promise<void> {
    await this.#take(async (replica) => {
      if (replica.child?.exitCode !== null) return;
      this.kills++;
      replica.child.kill('SIGKILL');
      await this.#start(replica);
    });
  }

  /** A replica stands still, and goes on later as if nothing had happened. */
  async pause(duration: number): Promise<void> {
    await this.#take(async ({ child }) => {
      child?.kill('SIGSTOP');
      await sleep(duration);
      child?.kill('SIGCONT');
      await sleep(duration);
    });
  }

  /** A machine is gone: no server hears of the end of its connections. Another one takes its place. */
  async vanish(): Promise<void> {
    await this.#take(async (replica) => {
      for (const proxy of replica.proxies) proxy.silence();
      replica.child?.kill('SIGKILL');
      await this.#start(replica);
    });
  }

  /** The connections of a replica are dropped, and neither side hears of it. New ones work. */
  async silence(duration: number): Promise<void> {
    await this.#take(async ({ proxies }) => {
      for (const proxy of proxies) proxy.silence();
      await sleep(duration);
    });
  }

  async stop(): Promise<void> {
    this.isOver = true;
    for (const { child } of this.replicas) child?.kill('SIGKILL');
    this.#log.end();
  }

  /** Any replica to which nothing else happens at the moment. */
  async #take(happen: (replica: Replica) => Promise<void>): Promise<void> {
    const free = this.replicas.filter(({ isTaken }) => !isTaken);
    const replica = free[Math.floor(Math.random() * free.length)];
    if (!replica) return;
    replica.isTaken = true;
    await happen(replica);
    replica.isTaken = false;
  }

  /** A replica that cannot start, since PostgreSQL is away, is started again, as an orchestrator does. */
  async #start(replica: Replica): Promise<void> {
    const until = Date.now() + 60_000;
    while (!this.isOver) {
      const child = this.#spawn(replica);
      replica.child = child;
      if (await isListening(replica.port, child, () => this.isOver || Date.now() > until)) return;
      if (Date.now() > until) throw new Error('A replica has not started for a minute.');
    }
  }

  #spawn({ port, clockShift, environment }: Replica): ChildProcess {
    const imports = ['./apps/from-sources.mjs', './test/cluster/chaos/wrong-clock.ts'];
    const args = ['--enable-source-maps', ...imports.flatMap((path) => ['--import', path])];
    const env = { ...process.env, ...environment, PORT: String(port), CLOCK_SHIFT: String(clockShift) };
    const child = spawn(process.execPath, [...args, 'test/cluster/chaos/replica.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(this.#log, { end: false });
    child.stderr.pipe(this.#log, { end: false });
    return child;
  }
}

async function prepare(index: number, servers: ServerUrls, environment: ServerUrls): Promise<Replica> {
  const proxies: TcpProxy[] = [];
  const addresses: Record<string, string> = {};
  for (const [name, address] of Object.entries(servers)) {
    const url = new URL(address);
    const proxy = await TcpProxy.open(Number(url.port));
    proxies.push(proxy);
    url.port = String(proxy.port);
    addresses[name] = url.href;
  }
  return {
    port: await freePort(),
    clockShift: CLOCK_SHIFTS[index] ?? 0,
    proxies,
    environment: { ...environment, ...addresses },
    isTaken: false,
  };
}

async function isListening(port: number, child: ChildProcess, isGivenUp: () => boolean): Promise<boolean> {
  while (!isGivenUp() && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2000) }).catch(
      () => undefined,
    );
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
