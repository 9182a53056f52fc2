/*
 * What an MCP call costs: `npm run bench:mcp [-- call|list]`. Each server has a process of its own, and only its CPU time counts. The SDK's server with
 * the same tools by hand is asked in turns with nestor. Ratios are medians over several sets of processes, with the lowest and highest.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from '../children.js';
import { median } from '../measure.js';
import { TOOLS } from './catalogue.js';

const NAMES = ['nestor', 'by-hand', 'by-hand-alone'] as const;
type Name = (typeof NAMES)[number];
const JOBS = {
  call: { title: 'tools/call', tools: 1, batch: 100, warmUp: 30, params: { name: 'add', arguments: { a: 1, b: 2 } } },
  list: { title: `tools/list of ${TOOLS} tools`, tools: TOOLS, batch: 2, warmUp: 10, params: {} },
};
const LIMIT = 1.15;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
/** Sets of processes. */
const SETS = Number(process.env.BENCH_CHILDREN ?? 5);
const PROTOCOL = '2026-07-28';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const asked = process.argv.slice(2);
for (const job of Object.keys(JOBS) as (keyof typeof JOBS)[]) {
  if (asked.length === 0 || asked.includes(job)) await compare(job);
}
agent.destroy();

async function compare(job: keyof typeof JOBS): Promise<void> {
  const found: Record<Name, number>[] = [];
  for (let set = 0; set < SETS; set++) found.push(await measure(job, set));
  console.log(`\n${JOBS[job].title} (${SETS} sets of processes, load ${loadavg()[0]!.toFixed(1)}):`);
  for (const name of NAMES) {
    const time = median(found.map((times) => times[name]));
    console.log(`  ${name.padEnd(15)} ${time.toFixed(0).padStart(7)} µs of CPU`);
  }
  for (const base of NAMES.slice(1)) {
    const ratios = found.map((times) => times.nestor / times[base]).sort((x, y) => x - y);
    const ratio = median(ratios);
    const spread = `${ratios[0]!.toFixed(3)} to ${ratios.at(-1)!.toFixed(3)}`;
    console.log(
      `  nestor / ${base}: ${ratio.toFixed(3)}x, ${spread} (limit ${LIMIT}: ${ratio <= LIMIT ? 'met' : 'NOT MET'})`,
    );
  }
}

/** The CPU time of one request in µs: what a quarter of the rounds stays below. What is above it, others have disturbed. */
async function measure(job: keyof typeof JOBS, set: number): Promise<Record<Name, number>> {
  const { tools, batch, warmUp } = JOBS[job];
  const order = [...NAMES.slice(set % NAMES.length), ...NAMES.slice(0, set % NAMES.length)];
  const servers = [];
  for (const name of order) servers.push({ name, times: [] as number[], ...(await start(name, tools)) });
  try {
    for (let round = -warmUp; round < ROUNDS; round++) {
      for (const { child, url, times } of round % 2 ? servers : servers.toReversed()) {
        const before = await cpuOf(child);
        for (let run = 0; run < batch; run++) await ask(url, job);
        if (round >= 0) times.push(((await cpuOf(child)) - before) / batch);
      }
    }
  } finally {
    for (const { child } of servers) child.kill();
  }
  const quartile = (times: number[]): number => times.sort((x, y) => x - y)[Math.floor(times.length / 4)]!;
  return Object.fromEntries(servers.map(({ name, times }) => [name, quartile(times)])) as Record<Name, number>;
}

async function start(name: Name, tools: number): Promise<{ child: ChildProcess; url: string }> {
  const file = fileURLToPath(new URL('server.js', import.meta.url));
  const child = fork(file, [name, String(tools)], { env: { ...process.env, ...ENVIRONMENT } });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }];
  return cpu;
}

async function ask(url: string, job: keyof typeof JOBS): Promise<void> {
  const { params } = JOBS[job];
  const method = `tools/${job}`;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': PROTOCOL,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL,
      'mcp-method': method,
      ...('name' in params && { 'mcp-name': params.name }),
    },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const answer = await text(response);
  if (response.statusCode !== 200 || answer.includes('"error"')) throw new Error(`${method} failed: ${answer}`);
}
