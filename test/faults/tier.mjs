/* Runs test files of a tier on the sources with planted faults. A run is a process group of its own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plant } from './plant.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const JEST = ['--import', './test/runner/register.mjs', '--enable-source-maps', 'node_modules/jest/bin/jest.js'];
const folder = mkdtempSync(join(tmpdir(), 'nestor-faults-'));
const planted = join(folder, 'planted.json');
const running = new Set();

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  for (const child of running) kill(child);
  rmSync(folder, { recursive: true, force: true });
});

/** Plants all faults into copies of the sources, which the runs of this process read. */
export function plantAll(faults) {
  const sources = {};
  for (const file of new Set(faults.map((fault) => fault.file))) {
    const path = join(ROOT, file);
    const ofFile = faults.filter((fault) => fault.file === file);
    sources[path] = plant(readFileSync(path, 'utf8'), ofFile);
  }
  writeFileSync(planted, JSON.stringify(sources));
}

/**
 * Runs the files of a tier while no fault is on.
 *
 * @returns what each file that passes has reached: `{ path, seconds, ids }`; and the paths of the others
 */
export async function recordTier(tier, patterns) {
  const reached = join(folder, tier.name);
  const report = join(folder, `${tier.name}.json`);
  mkdirSync(reached);
  const args = ['--json', `--outputFile=${report}`, '--testTimeout=30000', '--passWithNoTests', ...patterns];
  const { output } = await runJest(tier, args, { NESTOR_FAULTS_REACHED: reached });
  if (!existsSync(report)) throw new Error(`Jest did not run: ${output}`);
  const failed = [];
  const files = [];
  for (const { name: path, status, startTime, endTime } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    if (status === 'failed') failed.push(path);
    else files.push({ path, seconds: (endTime - startTime) / 1000, ids: idsIn(reached, encodeURIComponent(path)) });
  }
  return { files, failed };
}

function idsIn(reached, name) {
  if (!readdirSync(reached).includes(name)) return new Set();
  return new Set(readFileSync(join(reached, name), 'utf8').trim().split('\n').map(Number));
}

/**
 * Runs files while a fault is on, in their order, until a test fails.
 *
 * @returns who notices the fault: a file, or what happens to the process; otherwise undefined
 */
export async function whoNotices(tier, id, files) {
  const paths = files.map(({ path }) => path);
  const limit = 60 + 3 * files.reduce((sum, { seconds }) => sum + seconds, 0);
  const args = ['-i', '--bail', '--forceExit', '--testTimeout=10000', '--runTestsByPath', ...paths];
  const { status, output } = await runJest(tier, args, { NESTOR_FAULT: id }, limit);
  if (status === 0) return undefined;
  const failed = /^FAIL (.*)$/m.exec(output)?.[1];
  if (!failed) return status === 'timeout' ? 'a time limit' : `exit ${status}`;
  // What fails behind other files may fail because of what they left behind: it runs again, as the first.
  const position = paths.indexOf(failed);
  return position > 0 ? whoNotices(tier, id, files.slice(position)) : relative(ROOT, failed);
}

async function runJest(tier, args, env, limit) {
  const options = `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('process.mjs', import.meta.url).href}`;
  const child = spawn(process.execPath, [...JEST, '-c', 'test/faults/jest.config.mjs', ...args], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: options.trim(),
      NESTOR_FAULTS: planted,
      NESTOR_FAULTS_CONFIG: tier.config,
      ...env,
    },
  });
  running.add(child);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  let isLate = false;
  const timer = limit && setTimeout(() => ((isLate = true), kill(child)), limit * 1000);
  const status = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  clearTimeout(timer);
  // What a test has started may still run.
  kill(child);
  running.delete(child);
  return { status: isLate ? 'timeout' : status, output };
}

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
