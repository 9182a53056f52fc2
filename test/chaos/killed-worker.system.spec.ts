import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasRedis, TEST_REDIS } from '../cluster/redis.js';
import { hasServer, TEST_POSTGRES } from '../postgres/test-database.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ARGUMENTS = ['--import', './apps/from-sources.mjs', 'apps/assistant/src/main.ts', '--cluster'];
const run = promisify(execFile);

const WHAT = 'The workers of the assistant';
const hasServices = (await hasRedis(WHAT)) && (await hasServer(WHAT));

describe('npm start -- --cluster', () => {
  (hasServices ? it : it.skip)(
    'continues the turns of a worker that is killed',
    async () => {
      const env = { ...process.env, AI_POSTGRES_CONNECTION: TEST_POSTGRES, AI_BULLMQ_CONNECTION: TEST_REDIS };
      const { stdout } = await run(process.execPath, ARGUMENTS, { cwd: ROOT, env });
      expect(stdout).toContain('Worker 1 is killed in the middle of a report.');
      const said = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('  worker'));
      expect(said.slice(-6)).toEqual([
        '> Customer 1 bought goods for 100 euros.',
        '> Customer 2 bought goods for 200 euros.',
        '> Customer 3 bought goods for 300 euros.',
        '> Customer 4 bought goods for 400 euros.',
        '> The customer is creditworthy.',
        'All turns have ended.',
      ]);
    },
    300_000,
  );

  it('says how to start a service that cannot be reached', async () => {
    const env = { ...process.env, AI_BULLMQ_CONNECTION: 'redis://127.0.0.1:1' };
    const failing = run(process.execPath, ARGUMENTS, { cwd: ROOT, env });
    await expect(failing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('docker compose up -d') });
  });
});
