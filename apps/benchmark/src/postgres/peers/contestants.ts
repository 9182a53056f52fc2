import { readFileSync } from 'node:fs';
import { installPeers } from '../../install-peers.js';

const NESTOR = './nestor.js';
const LANGGRAPH = '../../../peers/recorded-langgraph.mjs';
const MASTRA = '../../../peers/recorded-mastra.mjs';

export interface RecordedContestant {
  readonly label: string;
  /** Relative to this file, with the name of the export. */
  readonly module: string;
  readonly export: string;
  readonly isDurable: boolean;
  /** The label of the same product in memory. */
  readonly inMemory: string;
}

const of = (module: string, name: string, inMemory: string, ...durable: string[]): RecordedContestant[] =>
  [inMemory, ...durable].map((label) => ({
    label,
    module: new URL(module, import.meta.url).href,
    export: name,
    isDurable: label !== inMemory,
    inMemory,
  }));

/** The one that all durable ones are compared with. */
export const REFERENCE = 'Nestor, PostgresTurnJournal';

/** Nestor's forms. */
export const OWN: readonly RecordedContestant[] = [
  ...of(NESTOR, 'contestant', 'Nestor, InMemoryTurnJournal', REFERENCE),
  ...of(NESTOR, 'remembering', 'Nestor, the same with chat memory', 'Nestor, PostgresAiModule.stores()'),
];

const ALL: readonly RecordedContestant[] = [
  ...OWN,
  ...of(LANGGRAPH, 'contestant', 'LangGraph, MemorySaver', 'LangGraph, PostgresSaver'),
  ...of(LANGGRAPH, 'synchronous', 'LangGraph, MemorySaver', 'LangGraph, PostgresSaver, sync').slice(1),
  ...of(MASTRA, 'contestant', 'Mastra, InMemoryStore', 'Mastra, PostgresStore'),
  ...of(MASTRA, 'durable', 'Mastra durable agent, InMemoryStore', 'Mastra durable agent, PostgresStore'),
];

/** Those that this Node.js runs. Installs the peers, and says which it leaves out. */
export function recordedContestants(): readonly RecordedContestant[] {
  installPeers();
  const { engines } = JSON.parse(
    readFileSync(new URL('../../../peers/node_modules/@mastra/pg/package.json', import.meta.url), 'utf8'),
  ) as { engines: { node: string } };
  if (isAtLeast(process.versions.node, engines.node.replace('>=', ''))) return ALL;
  console.log(
    `Mastra is left out: @mastra/pg needs Node.js ${engines.node}, and this is ${process.versions.node}. ` +
      'NODES=22 node test/nodes.mjs npm run bench:postgres -- peers has it.',
  );
  return ALL.filter(({ module }) => !module.endsWith('recorded-mastra.mjs'));
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}
