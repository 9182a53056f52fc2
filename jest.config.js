import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/jest-environment.mjs',
  // The first test of a file waits for its modules to be compiled, beside as many others as there are cores.
  testTimeout: 20_000,
  // Node keeps the modules of every file that has run in a process: one that has kept too many is replaced.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  workerIdleMemoryLimit: '1GB',
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/test/packages/'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/apps/benchmark/peers/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.c?ts$': ['@swc/jest'] },
  moduleNameMapper: {
    // Tests run on the sources, without a build.
    '^@nestor-ai/core$': '<rootDir>/libs/core/src/index.ts',
    '^@nestor-ai/core/testing$': '<rootDir>/libs/core/src/testing/index.ts',
    '^@nestor-ai/core/testing/contract$': '<rootDir>/libs/core/src/testing/contract/index.ts',
    '^@nestor-ai/core/event-emitter$': '<rootDir>/libs/core/src/event-emitter/index.ts',
    '^@nestor-ai/core/remote-tools$': '<rootDir>/libs/core/src/remote-tools/index.ts',
    '^@nestor-ai/core/plugin$': '<rootDir>/libs/core/src/plugin/index.ts',
    '^@nestor-ai/ai-sdk$': '<rootDir>/libs/ai-sdk/src/index.ts',
    '^@nestor-ai/tool-search$': '<rootDir>/libs/tool-search/src/index.ts',
    '^@nestor-ai/mcp$': '<rootDir>/libs/mcp/src/index.ts',
    '^@nestor-ai/inspector$': '<rootDir>/libs/inspector/src/index.ts',
    '^@nestor-ai/bullmq$': '<rootDir>/libs/bullmq/src/index.ts',
    '^@nestor-ai/postgres$': '<rootDir>/libs/postgres/src/index.ts',
    '^@nestor-ai/postgres/tool-search$': '<rootDir>/libs/postgres/src/tool-search/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^(\\.{1,2}/.*lazy-modules)\\.cjs$': '$1.cts',
  },
};
