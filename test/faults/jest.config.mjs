/* The Jest configuration of a tier, with what records faults. Files that load modules of their own are left out. */
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { projects, ...config } = (await import(process.env.NESTOR_FAULTS_CONFIG)).default;

export default {
  ...config,
  ...projects?.find(({ displayName }) => displayName === 'shared'),
  rootDir: here('../..'),
  testEnvironment: here('environment.mjs'),
  reporters: [here('failures.mjs')],
  testSequencer: here('nearest-first.mjs'),
};
