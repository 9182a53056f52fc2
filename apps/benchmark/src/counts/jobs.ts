/* The jobs whose counts are watched. */
import { contestant } from '../contestants/nestor.js';
import { ONE_CALL } from '../work.js';

type Job = () => Promise<unknown>;

async function streamed(): Promise<Job> {
  const ask = await contestant.stream({ chunks: 100, isPaced: false });
  return () => ask(() => undefined);
}

export const COUNTED: Readonly<Record<string, () => Job | Promise<Job>>> = {
  'one tool call': () => contestant.ask(ONE_CALL),
  'ten tool calls': () => contestant.ask({ ...ONE_CALL, rounds: 10 }),
  'eight tool calls at once': () => contestant.ask({ ...ONE_CALL, parallel: 8 }),
  '200 tools': () => contestant.ask({ ...ONE_CALL, tools: 200 }),
  'a stream of 100 chunks': streamed,
};
