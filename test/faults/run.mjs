/*
 * Measures what the tests notice: `npm run test:faults -- --seed 1` plants sixty faults into libs, turns
 * them on one at a time, and lists those that no test notices.
 *
 *   --seed N     draws other places
 *   --count N    draws another number of places
 *   --only 3,17  turns only these on
 *   --system     asks the system tier too, about what the fast tier does not notice
 *   --list       only prints the places
 *   --seconds N  runs no more files for a fault than took so many seconds without one; nearest first
 *
 * More arguments choose test files, as for Jest. What tests compile themselves, or start without their
 * environment, has no faults.
 */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { byNearness } from './nearness.mjs';
import { drawPlaces } from './places.mjs';
import { plantAll, recordTier, ROOT, whoNotices } from './tier.mjs';

const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    only: { type: 'string' },
    system: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '180' },
  },
});
const only = options.only?.split(',').map(Number);
const faults = drawPlaces(ROOT, options.seed, Number(options.count))
  .map((place, index) => ({ ...place, id: index + 1, by: {}, ranBy: [] }))
  .filter(({ id }) => !only || only.includes(id));

const print = (text) => process.stdout.write(`${text}\n`);
const describe = ({ id, file, line, kind, original, changed }) =>
  `${id}  ${file}:${line}  ${kind}\n      ${original}` +
  (original === changed ? '' : `\n      here: ${changed.slice(0, 100)}`);

print(`Seed ${options.seed}`);
if (options.list) {
  for (const fault of faults) print(describe(fault));
  process.exit();
}

plantAll(faults);
await ask({ name: 'fast', config: '../../jest.config.js' }, faults);
const left = faults.filter(({ by }) => !by.fast);
if (options.system) await ask({ name: 'system', config: '../../jest.system.config.js' }, left);
report();

/** Lets a tier look for faults: first all its files while none is on, then those that reach a fault. */
async function ask(tier, asked) {
  const started = Date.now();
  const minutes = () => `${((Date.now() - started) / 60_000).toFixed(1)} minutes`;
  const { files, failed } = await recordTier(tier, patterns);
  print(`The ${tier.name} tier without a fault: ${files.length} files pass, ${minutes()}`);
  for (const path of failed) print(`  ${relative(ROOT, path)} fails, and is left out`);

  const waiting = asked.values();
  // Both workers take from the same iterator.
  const work = async () => {
    for (const fault of waiting) {
      const reaching = byNearness(fault, files);
      const chosen = within(Number(options.seconds), reaching);
      fault.ranBy.push(...reaching.map(({ path }) => relative(ROOT, path)));
      // Most faults are noticed near by.
      for (const some of [chosen.slice(0, 12), chosen.slice(12)])
        if (some.length > 0 && !fault.by[tier.name]) fault.by[tier.name] = await whoNotices(tier, fault.id, some);
      const outcome =
        reaching.length === 0 ? 'no file runs it' : `${chosen.length} of ${reaching.length} files do not notice it`;
      print(`${minutes()}: ${fault.id} ${fault.by[tier.name] ?? outcome}`);
    }
  };
  await Promise.all([work(), work()]);
}

function within(seconds, files) {
  let sum = 0;
  return files.filter((file) => (sum += file.seconds) <= seconds);
}

function report() {
  const noticedBy = (tier) => faults.filter(({ by }) => by[tier]).length;
  const survivors = faults.filter(({ by }) => !by.fast && !by.system);
  print('\nNot noticed:');
  for (const fault of survivors) {
    const ranBy =
      fault.ranBy.slice(0, 5).join(', ') + (fault.ranBy.length > 5 ? ` and ${fault.ranBy.length - 5} more` : '');
    print(`${describe(fault)}\n      run by: ${ranBy || 'no test'}`);
  }
  const unreached = survivors.filter(({ ranBy }) => ranBy.length === 0).length;
  print(
    `\n${faults.length - survivors.length} of ${faults.length} noticed (by the fast tier ${noticedBy('fast')}, ` +
      `by the system tier ${noticedBy('system')}); ${unreached} were reached by no test`,
  );
}
