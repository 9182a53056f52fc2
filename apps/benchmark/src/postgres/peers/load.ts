import { FINAL } from '../../work.js';
import { calls, CONCURRENT, type OpenedTurns, ROUNDS } from './recorded-turns.js';

export interface Load {
  readonly turnsPerSecond: number;
  readonly statementsPerRound: number;
}

/** Runs turns for so many milliseconds, 50 at a time, and checks each of them. */
export async function load({ ask }: OpenedTurns, statements: () => number, milliseconds: number): Promise<Load> {
  const before = { statements: statements(), tools: calls.tools };
  const start = performance.now();
  let turns = 0;
  const lane = async (): Promise<void> => {
    do {
      const answer = await ask();
      if (answer !== FINAL) throw new Error(`The answer is '${answer}' instead of '${FINAL}'.`);
      turns++;
    } while (performance.now() - start < milliseconds);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, lane));
  const took = performance.now() - start;
  const rounds = calls.tools - before.tools;
  if (rounds !== turns * ROUNDS) throw new Error(`${turns} turns called tools ${rounds} times.`);
  return { turnsPerSecond: (turns / took) * 1000, statementsPerRound: (statements() - before.statements) / rounds };
}
