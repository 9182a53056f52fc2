/*
 * What a turn over HTTP costs: `npm run bench:wire`. The provider package by hand, nestor, the AI SDK, the SDK of OpenAI and a loop over
 * fetch() run the same jobs in one process, in turns. Only their CPU time is counted: the server has a process of its own.
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT, measureInChild, readResult } from '../children.js';
import { installPeers } from '../install-peers.js';
import { median } from '../measure.js';

const JOBS = {
  turn: { title: 'a turn with a tool call, by call', limit: 1.12 },
  stream: { title: 'a stream of 2,000 chunks', limit: 1.1 },
};
const BASE = 'the provider package by hand';
/** One process for each contestant to begin with. */
const PROCESSES = Number(process.env.BENCH_CHILDREN ?? 5);

installPeers();
const server = spawn(process.execPath, [fileURLToPath(new URL('server.js', import.meta.url))], {
  env: { ...process.env, ...ENVIRONMENT },
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
try {
  const url = await addressOf();
  for (const job of Object.keys(JOBS) as (keyof typeof JOBS)[]) await compare(url, job);
} finally {
  server.kill();
}

function addressOf(): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout!.on('data', (piece: Buffer) => {
      output += piece.toString();
      const result = readResult<{ url: string }>(output);
      if (result) resolve(result.url);
    });
    server.once('exit', (code) => reject(new Error(`The server of the benchmark ended with ${code}.`)));
  });
}

async function compare(url: string, job: keyof typeof JOBS): Promise<void> {
  const found: Record<string, number>[] = [];
  for (let child = 0; child < PROCESSES; child++) {
    found.push(await measureInChild<Record<string, number>>('wire/measure.js', [url, job, String(child % 5)]));
  }
  const { title, limit } = JOBS[job];
  console.log(`\n${title} (${PROCESSES} processes, load ${loadavg()[0]!.toFixed(1)}):`);
  for (const name of Object.keys(found[0]!).sort(byTime(found))) {
    const time = median(found.map((times) => times[name]!));
    const ratio = median(found.map((times) => times[name]! / times[BASE]!));
    const verdict = name === 'nestor' ? ` (limit ${limit}: ${ratio <= limit ? 'met' : 'NOT MET'})` : '';
    console.log(`  ${name.padEnd(30)} ${time.toFixed(0).padStart(7)} µs of CPU  ${ratio.toFixed(3)}x${verdict}`);
  }
}

function byTime(found: readonly Record<string, number>[]): (x: string, y: string) => number {
  const time = (name: string): number => median(found.map((times) => times[name]!));
  return (x, y) => time(x) - time(y);
}
