/*
 * Notes which files of this repository a test file runs, by V8's coverage, and how long it takes: for
 * `npm run test:changed`. It costs 0.2 s a test file, so that `npm test` does not do it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RECORDS = join(ROOT, 'node_modules/.cache/nestor/sources-of-tests');
mkdirSync(RECORDS, { recursive: true });

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/**
 * Writes the record of the test file that has just run.
 *
 * @param testPath its path
 * @param seconds how long it took
 */
export async function recordSources(testPath, seconds) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const test = relative(ROOT, testPath);
  // The first function of a file is the module itself: it only runs for the first test file of a process.
  const hasRun = ({ functions }) => functions.slice(1).some(({ ranges: [range] }) => range.count > 0);
  const sources = result
    .filter((script) => script.url.startsWith('file://') && hasRun(script))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((file) => !file.startsWith('..') && !file.includes('node_modules/'));
  const record = JSON.stringify({ test, seconds, sources: [...new Set(sources)] });
  writeFileSync(join(RECORDS, `${test.replaceAll('/', '__')}.json`), record);
}
