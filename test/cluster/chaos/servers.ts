import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-port.mjs';

/** A server of the test's own, which the test may stop and lose. */
export interface Server {
  readonly url: string;
  /** @param mode of PostgreSQL: `immediate`, like a crash, or `fast`, like an update. Default: `immediate` */
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** The folder with the programs of PostgreSQL. Undefined if they are not installed. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
}

export function hasRedisProgram(): boolean {
  return ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].some((path) => existsSync(path));
}

/** Starts PostgreSQL in a new folder. It refuses to run as root, so that root uses its own user. */
export async function startPostgres(programs: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'nestor-postgres-'));
  const user = userOf('postgres');
  if (user) execFileSync('chown', [`${user.uid}:${user.gid}`, folder]);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const run = (program: string, args: readonly string[]): void => {
    execFileSync(join(programs, program), args, { ...user, stdio: 'ignore', cwd: folder });
  };
  const port = await freePort();
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`;
  const start = (): void => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  const stop = (mode: string): void => run('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop']);
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async (mode = 'immediate') => {
      stop(mode);
      await new Promise((resolve) => setTimeout(resolve, 300));
      start();
    },
    stop: async () => {
      stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a Redis that keeps nothing on disk.
 *
 * @param more further arguments of the program
 */
export async function startRedis(more: readonly string[] = []): Promise<Server> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more];
      child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: tmpdir() });
      child.once('error', reject);
      child.stdout!.on('data', (text: Buffer) => {
        if (text.toString().includes('eady to accept connections')) resolve();
      });
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child!.once('exit', () => resolve());
      child!.kill('SIGKILL');
    });
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    restart: async () => {
      await stop();
      await start();
    },
    stop,
  };
}

function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, name]).toString());
  return { uid: id('-u'), gid: id('-g') };
}
