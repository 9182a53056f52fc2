/*
 * `npm run test:system`: what starts processes, brokers, browsers or builds, or kills something, and
 * what `npm test` runs on PGlite or over TCP, on real servers.
 */
import { availableParallelism } from 'node:os';
import { IGNORED, shared } from './jest.config.js';

// Helpers of tests ask it whether they may talk to servers.
process.env['NESTOR_TEST_TIER'] = 'system';

/** @type {import('jest').Config} */
export default {
  testTimeout: 120_000,
  forceExit: true,
  // The processes that these files start need the cores, too.
  maxWorkers: availableParallelism(),
  projects: [
    {
      ...shared,
      displayName: 'system',
      testMatch: ['**/*.system.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/'],
    },
    {
      ...shared,
      displayName: 'servers',
      testMatch: ['libs/postgres', 'test/postgres', 'test/remote-tools'].flatMap((folder) =>
        ['*.spec.ts', '*.e2e-spec.ts'].map((files) => `<rootDir>/${folder}/**/${files}`),
      ),
      testPathIgnorePatterns: IGNORED,
    },
  ],
};
