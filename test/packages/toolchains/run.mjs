/*
 * Runs our packed packages in the toolchains of Nest applications. Prints one line for each, and
 * ends with status 1 if one fails. Run after `npm run build:libs`. Arguments choose toolchains by
 * words in their names: `node test/packages/toolchains/run.mjs webpack`. `--prepare` only makes the
 * applications, which needs no build of ours.
 */
import { performance } from 'node:perf_hooks';
import { makeApplication, pack, prepareApplication } from './applications.mjs';
import { NEST_11 } from './nest-11.mjs';
import { NEST_12 } from './nest-12.mjs';

const APPLICATIONS = { 'Nest 11': NEST_11, 'Nest 12': NEST_12 };
if (process.argv.includes('--prepare')) {
  await Promise.all(Object.keys(APPLICATIONS).map(prepareApplication));
  process.exit();
}

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const toolchains = Object.entries(APPLICATIONS)
  .flatMap(([nest, all]) => Object.entries(all).map(([name, check]) => ({ nest, name: `${nest}, ${name}`, check })))
  .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
if (toolchains.length === 0) throw new Error(`No toolchain has ${words.join(' and ')} in its name.`);

/** Runs an action and prints how it ended. @returns its result; undefined if it failed */
async function report(name, action) {
  const begin = performance.now();
  const took = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  try {
    const result = await action();
    console.log(`✓ ${name} (${took()})`);
    return result;
  } catch (error) {
    process.exitCode = 1;
    console.log(`✗ ${name} (${took()})\n${error.stack}`);
    return undefined;
  }
}

// Its peer @nestjs/microservices would be installed, and webpack would look for the packages of all transports.
const tarballs = (await pack()).filter((tarball) => !tarball.includes('remote-tools'));
for (const nest of new Set(toolchains.map((toolchain) => toolchain.nest))) {
  const folder = await report(`${nest}, nest new and npm install`, () => makeApplication(nest, tarballs));
  if (folder === undefined) continue;
  for (const { name, check } of toolchains.filter((toolchain) => toolchain.nest === nest))
    await report(name, () => check(folder, tarballs));
}
