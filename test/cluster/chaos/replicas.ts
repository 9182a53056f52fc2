import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../free-port.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The processes of one application, which are killed and started again. */
export class Replicas {
  readonly #children: (ChildProcess | undefined)[] = [];
  readonly #log: WriteStream;
  kills = 0;
  isOver = false;

  private constructor(
    readonly ports: readonly number[],
    private readonly environment: Readonly<Record<string, string>>,
    logFile: string,
  ) {
    this.#log = createWriteStream(logFile);
  }

  static async start(count: number, environment: Readonly<Record<string, string>>, logFile: string): Promise<Replicas> {
    const ports: number[] = [];
    while (ports.length < count) ports.push(await freePort());
    const replicas = new Replicas(ports, environment, logFile);
    // The first one creates the tables.
    for (let index = 0; index < count; index++) await replicas.#start(index);
    return replicas;
  }

  /** Kills a replica without warning and starts it again. */
  async kill(): Promise<void> {
    const index = Math.floor(Math.random() * this.ports.length);
    const child = this.#children[index];
    if (!child || child.exitCode !== null) return;
    this.kills++;
    child.kill('SIGKILL');
    await this.#start(index);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    for (const child of this.#children) child?.kill('SIGKILL');
    this.#log.end();
  }

  /** A replica that cannot start, since PostgreSQL is away, is started again, as an orchestrator does. */
  async #start(index: number): Promise<void> {
    const until = Date.now() + 60_000;
    while (!this.isOver) {
      const child = this.#spawn(index);
      this.#children[index] = child;
      if (await isListening(this.ports[index]!, child, () => this.isOver || Date.now() > until)) return;
      if (Date.now() > until) throw new Error('A replica has not started for a minute.');
    }
  }

  #spawn(index: number): ChildProcess {
    const args = ['--enable-source-maps', '--import', './apps/from-sources.mjs', 'test/cluster/chaos/replica.ts'];
    const env = { ...process.env, ...this.environment, PORT: String(this.ports[index]) };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(this.#log, { end: false });
    child.stderr.pipe(this.#log, { end: false });
    return child;
  }
}

async function isListening(port: number, child: ChildProcess, isGivenUp: () => boolean): Promise<boolean> {
  while (!isGivenUp() && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
