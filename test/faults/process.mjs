/*
 * `node --import ./test/faults/process.mjs`, in NODE_OPTIONS: a process, and all that it starts, import
 * sources with planted faults.
 *
 * NESTOR_FAULTS is a file with the planted text of each source. NESTOR_FAULT is the fault that is on.
 * NESTOR_FAULTS_REACHED is a folder; the file that NESTOR_FAULTS_TEST names there gets the faults that
 * the code has reached.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { faultSwitch } from './switch.mjs';

// Node runs the hook below in a thread of its own, which loads this file again.
if (isMainThread) register(import.meta.url);

const planted = JSON.parse(readFileSync(process.env.NESTOR_FAULTS, 'utf8'));

export async function load(url, context, next) {
  const [file] = url.split('?');
  const source = file.endsWith('.ts') ? planted[fileURLToPath(file)] : undefined;
  return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
}

const folder = process.env.NESTOR_FAULTS_REACHED;
const written = new Set();

function reach(id) {
  const test = process.env.NESTOR_FAULTS_TEST;
  if (!folder || !test || written.has(`${test} ${id}`)) return;
  written.add(`${test} ${id}`);
  // At once: a test may kill the process.
  appendFileSync(`${folder}/${test}`, `${id}\n`);
}

// A property that is not configurable: the environment of tests leaves it alone.
Object.defineProperty(globalThis, '__fault', { value: faultSwitch(Number(process.env.NESTOR_FAULT), reach) });
