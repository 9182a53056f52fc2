import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/** PGlite with pgvector, and the place in the queue of its only session. */
export interface SharedPglite {
  readonly database: PGlite;
  /** Waits until all who came before have released the session. @returns releases it */
  take(): Promise<() => void>;
}

let shared: Promise<SharedPglite> | undefined;

/** The PGlite of this process: it takes a second to start. */
export const sharedPglite = (): Promise<SharedPglite> => (shared ??= start());

async function start(): Promise<SharedPglite> {
  const database = await createPglite();
  await database.query('CREATE EXTENSION IF NOT EXISTS vector');
  let last: Promise<void> = Promise.resolve();
  return {
    database,
    take: async () => {
      const before = last;
      let release = (): void => undefined;
      last = new Promise((resolve) => (release = resolve));
      await before;
      return release;
    },
  };
}

/** PGlite needs many seconds to make an empty database, so that it is made once and then copied. */
async function createPglite(): Promise<PGlite> {
  const extensions = { vector };
  // PostgreSQL reports how far its start is. The timer of these reports would never let the process end.
  const startParams = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0'];
  const { version } = JSON.parse(await readFile('node_modules/@electric-sql/pglite/package.json', 'utf8')) as {
    version: string;
  };
  const file = `node_modules/.cache/nestor/pglite-${version}.tar`;
  const empty = await readFile(file).catch(() => undefined);
  if (empty) return PGlite.create({ extensions, startParams, loadDataDir: new Blob([empty]) });
  const lite = await PGlite.create({ extensions, startParams });
  const dump = await lite.dumpDataDir('none');
  await mkdir('node_modules/.cache/nestor', { recursive: true });
  // Another process may read or write it now.
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, Buffer.from(await dump.arrayBuffer()));
  await rename(own, file);
  return lite;
}
