/* The jobs whose counts are watched. */
import { contestant } from '../contestants/nestor.js';
import { check } from '../measure.js';
import { FINAL, ONE_CALL, type TurnWork } from '../work.js';

type Job = () => Promise<unknown>;

async function streamed(): Promise<Job> {
  const ask = await contestant.stream({ chunks: 100, isPaced: false });
  return async () => check(await ask(() => undefined), 100);
}

async function asked(work: Partial<TurnWork>): Promise<Job> {
  const ask = await contestant.ask({ ...ONE_CALL, ...work });
  return async () => check(await ask(), FINAL);
}

export const COUNTED: Readonly<Record<string, () => Job | Promise<Job>>> = {
  'one tool call': () => asked({}),
  'ten tool calls': () => asked({ rounds: 10 }),
  'eight tool calls at once': () => asked({ parallel: 8 }),
  '200 tools': () => asked({ tools: 200 }),
  'a stream of 100 chunks': streamed,
};
