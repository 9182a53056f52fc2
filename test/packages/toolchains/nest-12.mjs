/*
 * Toolchains with ES modules, and package managers. Each throws if the application fails to build,
 * to start or to answer.
 */
import { join } from 'node:path';
import { makeBareApplication, run } from './applications.mjs';
import { PLUGIN_12 } from './plugin.mjs';
import { assertAnswers, bin, bundlesOf, configure, esbuild, nestBuild, npx } from './steps.mjs';

/** CommonJS packages in the bundle require Node's own modules. */
const BANNER = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** Installs as the guide says, with a package manager that does not install all peers. */
const installWith =
  (...command) =>
  async (folder, tarballs) => {
    await nestBuild(folder);
    const { bare, beside } = makeBareApplication(command[0].replace('@', '-'), join(folder, 'dist'), tarballs);
    await npx(bare, '--yes', ...command, ...beside, ...tarballs);
    await assertAnswers(bare, 'dist/main.js');
  };

export const NEST_12 = {
  'Vitest as `nest new` configures it': (folder) => bin(folder, 'vitest', 'run'),
  async 'Jest with ES modules'(folder) {
    configure(folder, 'jest.config.js');
    await run(folder, 'node_modules/.bin/jest', [], { NODE_OPTIONS: '--experimental-vm-modules' });
  },
  async 'nest build'(folder) {
    await nestBuild(folder);
    await assertAnswers(folder, 'dist/main.js');
  },
  async 'esbuild to an ES module'(folder) {
    await esbuild(folder, 'esbuild.mjs', '--format=esm', `--banner:js=${BANNER}`);
    await assertAnswers(bundlesOf(folder), 'esbuild.mjs');
  },
  // Yarn 1 caches a tarball by its path. It also refuses a dependency of @nestjs/common 12 that asks
  // for Node.js 22. And it asks the registry for the binaries of all platforms, which BullMQ has as
  // optional dependencies: a mirror that lacks one of them ends the installation.
  'installed with Yarn 1, without BullMQ': (folder, tarballs) =>
    installWith(
      'yarn@1',
      'add',
      '--cache-folder',
      './.cache',
      '--ignore-engines',
    )(
      folder,
      tarballs.filter((tarball) => !tarball.includes('bullmq')),
    ),
  'installed with pnpm': installWith('pnpm@10', 'add'),
  'installed with npm --legacy-peer-deps': installWith('npm@11', 'install', '--legacy-peer-deps', '--no-audit'),
  ...PLUGIN_12,
};
