/* Jobs h and i: what a turn costs when the conversation is long, and when there are many tools. */
import { QUICKLY, timeOf } from '../measure.js';
import { type Contestant, FINAL, ONE_CALL } from '../work.js';

export const HISTORIES = [0, 10, 100, 1000] as const;
export const CATALOGUES = [10, 100, 1000, 10_000] as const;

/** Microseconds by size. */
export interface Growth {
  readonly history: Readonly<Record<number, number>>;
  readonly tools: Readonly<Record<number, number>>;
}

export async function measureGrowth(contestant: Contestant): Promise<Growth> {
  const history: Record<number, number> = {};
  for (const size of HISTORIES) {
    history[size] = await timeOf(await contestant.ask({ ...ONE_CALL, history: size }), FINAL, QUICKLY);
  }
  const tools: Record<number, number> = {};
  for (const size of CATALOGUES) {
    tools[size] = await timeOf(await contestant.ask({ ...ONE_CALL, tools: size }), FINAL, QUICKLY);
  }
  return { history, tools };
}
