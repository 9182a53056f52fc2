/*
 * Counts what turns make, and compares it with what is in counts.json: `npm run bench:counts`. Fails when it has become more;
 * `-- --update` writes down what it is now, `-- --layers` shows where objects are made.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { measureInChild, printResult } from '../children.js';
import { type Baseline, compare } from './compare.js';
import { count, type Counted, FLAGS } from './count.js';
import { COUNTED } from './jobs.js';

const FILE = new URL('../../counts.json', import.meta.url);
const COLUMNS = ['promises', 'objects', 'bytes', 'keptBytes', 'leakedBytes'] as const;

const at = process.argv.indexOf('--child');
if (at > 0) {
  printResult(await count(await COUNTED[process.argv[at + 1]!]!()));
  process.exit();
}

const counts: Record<string, Counted> = {};
for (const name of Object.keys(COUNTED)) {
  const counted = await measureInChild<Counted>('./counts/main.js', ['--child', name], FLAGS);
  counts[name] = counted;
  console.log(`${name}: ${COLUMNS.map((column) => `${round(counted[column])} ${column}`).join(', ')}`);
  if (process.argv.includes('--layers')) printRooms(counted);
}
const major = process.versions.node.split('.')[0]!;
const baselines = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Baseline>) : {};
if (process.argv.includes('--update')) {
  const baseline = Object.fromEntries(
    Object.entries(counts).map(([name, counted]) => [
      name,
      Object.fromEntries(COLUMNS.map((column) => [column, round(counted[column])])),
    ]),
  );
  writeFileSync(FILE, `${JSON.stringify({ ...baselines, [major]: baseline }, undefined, 2)}\n`);
} else if (baselines[major]) {
  const { worse, better } = compare(baselines[major], counts);
  for (const line of better) console.log(`less: ${line}. Keep it so: npm run bench:counts -- --update`);
  for (const line of worse) console.error(`more: ${line}`);
  if (worse.length > 0) {
    console.error('If it has to be, write down that it is: npm run bench:counts -- --update');
    process.exitCode = 1;
  } else console.log('No turn makes more than it did.');
} else {
  console.log(`Nothing is known of Node.js ${major} to compare with: npm run bench:counts -- --update`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function printRooms({ layers }: Counted): void {
  for (const [layer, { objects, bytes }] of Object.entries(layers).sort(([, x], [, y]) => y.bytes - x.bytes)) {
    console.log(`  ${objects.toFixed(1).padStart(8)} objects ${bytes.toFixed(0).padStart(8)} bytes  ${layer}`);
  }
}
