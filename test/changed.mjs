/*
 * `npm run test:changed`: runs the test files that run the code that you have changed since the last
 * commit; `npm run test:changed -- main` since the commit `main`. Which files those are is known from
 * the last time that each ran under this command: the first time, all of `npm test` runs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const RECORDS = join(ROOT, 'node_modules/.cache/nestor/sources-of-tests');
/** What the chosen files may take in all, in seconds. Two run at a time. */
const BUDGET = 80;
/** With more test files that have never run under this command, all of `npm test` runs. */
const MOST_UNKNOWN = 20;
const isTest = (file) => /(?:\.|e2e-)spec\.ts$/.test(file) && !file.endsWith('.system.spec.ts');

mkdirSync(RECORDS, { recursive: true });
const records = readdirSync(RECORDS)
  .map((file) => JSON.parse(readFileSync(join(RECORDS, file), 'utf8')))
  .filter(({ test }) => existsSync(join(ROOT, test)));
const changed = changedFiles(process.argv[2] ?? 'HEAD');
const known = new Set(records.map(({ test }) => test));
const unknown = git('ls-files').filter((file) => isTest(file) && !known.has(file));
if (changed.length === 0) console.log('Nothing has changed.');
else if (unknown.length > MOST_UNKNOWN)
  run([], `It is not known yet what ${unknown.length} test files run: all of npm test runs.`);
else {
  const { chosen, left } = withinBudget(testsOf(changed), changed);
  const more = left.length > 0 ? ` ${left.length} more run this code, too: npm test runs them.` : '';
  if (chosen.length === 0) console.log(`No test file runs ${changed.join(', ')}.`);
  else run(chosen, `${chosen.length} test files for ${changed.length} changed files.${more}`);
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function changedFiles(revision) {
  return [...new Set([...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')])];
}

/** The test files of changed files. Of a file of which no code runs, such as types, those of the files that import it. */
function testsOf(files, seen = new Set()) {
  const tests = [];
  for (const file of files.filter((one) => !seen.has(one))) {
    seen.add(file);
    const direct = records.filter(({ test, sources }) => isTestOf(file, test) || sources.includes(file));
    tests.push(...direct.map(({ test }) => test));
    if (isTest(file) && existsSync(join(ROOT, file))) tests.push(file);
    else if (direct.length === 0 && file.endsWith('.ts')) tests.push(...testsOf(importersOf(file), seen));
  }
  return new Set(tests);
}

/** The pages are tested by the files of test/docs, which read them. */
function isTestOf(file, test) {
  return file.endsWith('.md') && test.startsWith('test/docs/');
}

/** The files of the same lib that import a file. */
function importersOf(file) {
  const name = basename(file).replace(/\.ts$/, '.js');
  const [lib] = /^[^/]+\/[^/]+/.exec(file) ?? [dirname(file)];
  const { stdout } = spawnSync('git', ['grep', '-lF', `/${name}'`, '--', lib], { cwd: ROOT, encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

/** The nearest first: files beside the change, then those that run the least code, until the budget is used up. */
function withinBudget(tests, files) {
  const folders = new Set(files.map((file) => dirname(file)));
  const recordOf = (test) => records.find((one) => one.test === test) ?? { test, seconds: 1, sources: [] };
  const distance = ({ test, sources }) => {
    if (files.includes(test)) return 0;
    return folders.has(dirname(test)) ? 1 : 2 + sources.length;
  };
  const ranked = [...tests].map(recordOf).toSorted((a, b) => distance(a) - distance(b));
  let seconds = 0;
  const chosen = [];
  for (const record of ranked) {
    seconds += record.seconds;
    if (seconds <= BUDGET || distance(record) === 0) chosen.push(record.test);
  }
  return { chosen, left: ranked.slice(chosen.length) };
}

function run(files, why) {
  console.log(why);
  const args = ['test', '--silent', '--', ...(files.length > 0 ? ['--runTestsByPath', ...files] : [])];
  const env = { ...process.env, NESTOR_RECORD_SOURCES: '1' };
  process.exitCode = spawnSync('npm', args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}
