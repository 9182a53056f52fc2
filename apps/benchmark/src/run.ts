/*
 * Everything, side by side: `npm run bench [-- turns http …]`. Each measurement in a process of its own, contestants in rotating order,
 * round by round. Writes results/, of which `npm run bench:readme` takes the figures of README.
 */
import type { ColdStart } from './cold-start/milestones.js';
import { measureInChild } from './children.js';
import { CONTESTANT_IDS } from './contestants/index.js';
import { measureHttp } from './http/load.js';
import { installPeers } from './install-peers.js';
import { scaleOf } from './measure.js';
import { readResults, writeResults } from './report/files.js';
import { report } from './report/report.js';
import type { Results } from './results.js';
import { ENHANCERS, type Enhancers } from './suites/enhancers.js';
import { TURN_JOBS } from './suites/turns.js';

const ROUNDS = roundsOf(process.env.BENCH_ROUNDS);
const SCALE = scaleOf(process.env.BENCH_SCALE);
/** A process is started so often in a round: one start says little. */
const STARTS = 5;
/** Those of the jobs that take long, or need more than an answer. */
const FEW = ['bare', 'nestor', 'nestor-over-ai-sdk', 'ai-sdk', 'ai-sdk-wrapped'];
const START_SCRIPTS: Readonly<Record<string, string>> = {
  bare: './cold-start/by-hand.js',
  nestor: './cold-start/nestor.js',
  'ai-sdk': '../peers/cold-start.mjs',
};

const suites: Readonly<Record<string, () => Promise<Partial<Results>>>> = {
  async turns() {
    const turns: Record<string, Record<string, object[]>> = {};
    for (const job of TURN_JOBS) {
      turns[job] = await inRounds(CONTESTANT_IDS, job, (id) => measureInChild('./child.js', ['turns', id, job]));
    }
    return { turns: turns as Results['turns'] };
  },
  async coldStart() {
    const start = (id: string): Promise<ColdStart> => measureInChild(START_SCRIPTS[id]!, [], []);
    return { coldStart: await inRounds(Object.keys(START_SCRIPTS), 'f', start, ROUNDS * STARTS) };
  },
  async concurrency() {
    return {
      concurrency: await inRounds([...FEW, 'openai-agents', 'genkit'], 'g', (id) =>
        measureInChild('./child.js', ['concurrency', id]),
      ),
    };
  },
  async growth() {
    return { growth: await inRounds(FEW, 'h, i', (id) => measureInChild('./child.js', ['growth', id])) };
  },
  async enhancers() {
    const measure = (name: string): Promise<Enhancers> => measureInChild('./child.js', ['enhancers', name]);
    const taken = await inRounds(ENHANCERS, 'j', measure);
    const ofRound = (round: number): Enhancers => Object.assign({}, ...ENHANCERS.map((name) => taken[name]![round]));
    return { enhancers: Array.from({ length: ROUNDS }, (_, round) => ofRound(round)) };
  },
  async search() {
    const { nestor = [] } = await inRounds(['nestor'], 'k', () =>
      measureInChild<Results['search'][number]>('./child.js', ['search']),
    );
    return { search: nestor };
  },
  async http() {
    const loads = await inRounds(FEW, 'l', measureHttp);
    const of = (endpoint: string): Results['http'][string] =>
      Object.fromEntries(Object.entries(loads).map(([id, rounds]) => [id, rounds.map((round) => round[endpoint]!)]));
    return { http: { answer: of('answer'), stream: of('stream') } };
  },
};

const NOTHING: Omit<Results, 'node' | 'rounds' | 'scale' | 'contestants'> = {
  turns: {},
  coldStart: {},
  concurrency: {},
  growth: {},
  enhancers: [],
  search: [],
  http: {},
};

const chosen = process.argv.slice(2);
for (const name of chosen) {
  if (!Object.hasOwn(suites, name))
    throw new Error(`There is no '${name}' to be measured, only: ${Object.keys(suites).join(', ')}.`);
}
installPeers();
const contestants: Record<string, Results['contestants'][string]> = {};
for (const id of CONTESTANT_IDS) contestants[id] = await measureInChild('./child.js', ['identity', id]);
const known = readResults();
// What is measured takes the place of what was, beside the rest that was measured in the same way, with the same versions.
const isAlike =
  known?.node === process.version &&
  known.rounds === ROUNDS &&
  known.scale === SCALE &&
  JSON.stringify(known.contestants) === JSON.stringify(contestants);
let results: Results = {
  ...(isAlike ? known : NOTHING),
  node: process.version,
  rounds: ROUNDS,
  scale: SCALE,
  contestants,
};
for (const [name, measure] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  results = writeResults({ ...results, ...(await measure()) }, report);
}
console.log(report(results));

/** @throws Error for what is no number of rounds */
function roundsOf(text = '3'): number {
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`BENCH_ROUNDS has to be a whole number greater than 0, but is '${text}'.`);
}

/** Measures each contestant once in each round; who begins is another one each time. */
async function inRounds<T>(
  ids: readonly string[],
  what: string,
  measure: (id: string) => Promise<T>,
  rounds = ROUNDS,
): Promise<Record<string, T[]>> {
  const taken: Record<string, T[]> = Object.fromEntries(ids.map((id) => [id, [] as T[]]));
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < ids.length; at++) {
      const id = ids[(at + round) % ids.length]!;
      taken[id]!.push(await measure(id));
    }
    console.error(`${what}: round ${round + 1} of ${rounds} done`);
  }
  return taken;
}
