/*
 * `npm test`: everything that runs in one process, without services. Specs lie beside their source as
 * `NAME.spec.ts`, scenarios of whole applications are `test/FOLDER/NAME.e2e-spec.ts`. What starts processes, brokers,
 * browsers or builds is a `NAME.system.spec.ts`, and belongs to jest.system.config.js.
 */
import { availableParallelism } from 'node:os';
import { ROOMS } from './libs/rooms.mjs';

/** What all projects have in common. */
export const common = {
  rootDir: import.meta.dirname,
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/apps/benchmark/peers/'],
};

/** Test files that share the modules of their process. @type {import('jest').Config} */
export const shared = {
  ...common,
  runtime: '<rootDir>/test/runner/shared-runtime.cjs',
  testEnvironment: '<rootDir>/test/runner/shared-environment.mjs',
};

/** Where each package of this repository starts. */
const sources = ROOMS.flatMap(({ folder, entries }) =>
  entries.map(({ name, source }) => [`^${name}$`, `<rootDir>/libs/${folder}/src/${source}.ts`]),
);

/** Files that replace or reload modules: Jest's own runtime loads all modules for each. @type {import('jest').Config} */
const isolated = {
  ...common,
  displayName: 'isolated',
  testMatch: ['**/*.isolated.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.c?ts$': ['@swc/jest'] },
  moduleNameMapper: {
    ...Object.fromEntries(sources),
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^(\\.{1,2}/.*lazy-modules)\\.cjs$': '$1.cts',
  },
};

export const IGNORED = ['/node_modules/', '/dist/', '/test/packages/', String.raw`\.(system|isolated)\.spec\.ts$`];

/** @type {import('jest').Config} */
export default {
  // The first test of a process waits for its modules to be compiled, on a machine that may be busy.
  testTimeout: 60_000,
  maxWorkers: Math.max(2, availableParallelism()),
  // Tests of stores and servers that hang leave requests behind, which end in a minute.
  forceExit: true,
  projects: [
    {
      ...shared,
      displayName: 'shared',
      testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
      testPathIgnorePatterns: IGNORED,
    },
    isolated,
  ],
};
