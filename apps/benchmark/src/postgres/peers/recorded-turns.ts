/* The turns that every product records, and in which terms they are asked for. */
import { sleep } from '../../work.js';

/** How many rounds with one tool call a turn has before the model answers. */
export const ROUNDS = 5;
/** How many turns run at a time. */
export const CONCURRENT = 50;

/** Where a contestant records its turns: in memory without a connection. */
export interface Setting {
  /** How long the model takes for an answer, in milliseconds. */
  readonly latency: number;
  readonly database?: { readonly connectionString: string; readonly schema: string; readonly connections: number };
}

/** An agent with its store. */
export interface OpenedTurns {
  /** Runs one turn in a conversation of its own, and gives the answer. */
  ask(): Promise<string>;
  close(): Promise<void>;
}

/** A product that records turns. */
export interface RecordedTurns {
  readonly version: string;
  open(setting: Setting): Promise<OpenedTurns>;
  /** How many statements this process has sent to PostgreSQL. */
  statements(): number;
}

/** How often tools were called in this process. */
export const calls = { tools: 0 };

const FORECAST = 'Sunny, with a light wind from the west. '.repeat(24);

/** The tool: its result has about 1 kB. */
export async function forecast({ city }: { city: string }): Promise<object> {
  calls.tools++;
  return { city, temperature: 21, forecast: FORECAST };
}

/** The model thinks. It does not when it takes no time. */
export async function think(latency: number): Promise<void> {
  if (latency > 0) await sleep(latency);
}

/** Counts the statements of every client of `pg`, including `BEGIN` and `COMMIT`: each is a round trip. */
export function countStatements(client: { readonly prototype: { query: unknown } }): () => number {
  const prototype = client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  let count = 0;
  prototype.query = function (...args) {
    count++;
    return query.apply(this, args);
  };
  return () => count;
}
