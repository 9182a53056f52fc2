/*
 * Runs the official conformance suite of MCP against libs/mcp, as a server and as a client, for each
 * revision of the protocol: `npm run test:mcp-conformance`, and asks the
 * server with the CLI of the MCP inspector. The suite has its own, newer Node.js; the
 * server and the client run under yours, from their sources. The last line is `N passed, N failed`.
 *
 * `node test/mcp/conformance/run.mjs [server|client] [REVISION]` runs a part. VERBOSE=1 prints what
 * the suite says about scenarios that fail.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFolder } from '../../node-binaries.mjs';
import { judge, readExpectedFailures } from './expected-failures.mjs';
import { askWithInspector } from './inspector.mjs';
import { readRequired, readResult, readSummary } from './suite-report.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance');
const FROM_SOURCES = ['--import', './apps/from-sources.mjs'];
const NODE_OF_SUITE = '24.21.0';
const CLIENT = ['node', ...FROM_SOURCES, 'test/mcp/conformance/client.ts'].join(' ');
const REVISIONS = ['2026-07-28', '2025-11-25'];
const SIDES = ['server', 'client'];
/** In milliseconds. */
const LONGEST_RUN = 900_000;
const CLIENT_TIMEOUT = '120000';

const asked = process.argv.slice(2);
const chosen = (all) => (all.some((name) => asked.includes(name)) ? all.filter((name) => asked.includes(name)) : all);
const unknown = asked.filter((name) => ![...REVISIONS, ...SIDES].includes(name));
if (unknown.length > 0)
  throw new Error(`'${unknown[0]}' is no side and no revision: ${[...SIDES, ...REVISIONS].join(', ')}`);

// What the suite starts takes the Node.js that runs this file.
const environment = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
const nodeOfSuite = join(nodeFolder(NODE_OF_SUITE), 'node');
const expectedFailures = readExpectedFailures(readFileSync(join(ROOT, 'test/mcp/expected-failures.yaml'), 'utf8'));
let passed = 0;
let failed = 0;

for (const side of chosen(SIDES)) {
  const server = side === 'server' ? await startServer() : undefined;
  try {
    for (const revision of chosen(REVISIONS)) await check(side, revision, server?.url);
    if (server) print('inspector', await askWithInspector(nodeOfSuite, server.url, environment));
  } finally {
    await server?.stop();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs the scenarios that a revision requires of a side, and prints a line for each. */
async function check(side, revision, url) {
  const required = readRequired(readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8'), side);
  const results = url ? await runServerScenarios(revision, url) : await runClientScenarios(revision, required);
  print(`${revision} ${side}`, judge(required, results, expectedFailures[revision]?.[side] ?? {}));
}

function print(what, verdicts) {
  for (const { scenario, isGood, text } of verdicts) {
    if (isGood) passed += 1;
    else failed += 1;
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what} ${scenario}: ${text}`);
  }
}

async function runServerScenarios(revision, url) {
  return readSummary(await runSuite(['server', '--url', url, '--requirements', revision]));
}

/** One by one: with `--requirements`, the suite starts all clients at once, which then run into their timeouts. */
async function runClientScenarios(revision, scenarios) {
  const results = new Map();
  const waiting = [...scenarios];
  const runWaiting = async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const args = ['--scenario', scenario, '--spec-version', revision, '--timeout', CLIENT_TIMEOUT];
      results.set(scenario, readResult(await runSuite(['client', '--command', CLIENT, ...args])));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
  return results;
}

/** @returns everything that the suite prints; its exit code says less than its report */
async function runSuite(args) {
  const results = mkdtempSync(join(tmpdir(), 'nestor-mcp-conformance-'));
  const child = spawn(nodeOfSuite, [join(SUITE, 'dist/index.js'), ...args, '--output-dir', results], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  rmSync(results, { recursive: true });
  if (process.env.VERBOSE) console.log(output);
  return output;
}

/** Starts the Nest application of server.ts, which prints its address. */
async function startServer() {
  const child = spawn(process.execPath, [...FROM_SOURCES, 'test/mcp/conformance/server.ts'], {
    cwd: ROOT,
    env: { ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ends a server that this process has left behind.
    timeout: LONGEST_RUN,
  });
  const closed = once(child, 'close');
  let output = '';
  const listening = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (process.env.VERBOSE) process.stderr.write(text);
        const [, url] = /^listening at (\S+)$/m.exec(output) ?? [];
        if (url) resolve(url);
      });
    }
  });
  const url = await Promise.race([listening, closed.then(() => undefined)]);
  if (!url) throw new Error(`The server of the conformance tests did not start. It has printed:\n${output}`);
  const stop = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return { url, stop };
}
