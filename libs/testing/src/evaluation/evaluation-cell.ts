import type { Usage } from '@nestor-ai/core';
import { totalOf } from '@nestor-ai/core/internal';
import type { RecordedTurn } from '../turn/recorded-turn.js';

/** One turn of an evaluation. */
export interface EvaluatedTurn {
  readonly model: string;
  readonly question: string;
  /** Undefined if the request failed before its turn. */
  readonly turn: RecordedTurn | undefined;
  readonly hasPassed: boolean;
  /** Why it has not passed. */
  readonly problem: string | undefined;
  /** In milliseconds. */
  readonly duration: number;
  readonly usage: Usage | undefined;
  /** In the currency of the prices. Undefined without prices. */
  readonly cost: number | undefined;
}

/** The result of one question for one model, over all its repetitions. */
export interface EvaluationCell {
  readonly model: string;
  readonly question: string;
  readonly turns: readonly EvaluatedTurn[];
  /** From 0 to 1. */
  readonly passRate: number;
  /** The median, in milliseconds. */
  readonly duration: number;
  /** The mean of the tokens of a turn. */
  readonly tokens: number;
  /** The mean of the cost of a turn. Undefined without prices. */
  readonly cost: number | undefined;
}

/** Passed turns, time, tokens and cost as text. */
export function figuresOf({ turns, duration, tokens, cost }: Omit<EvaluationCell, 'model' | 'question'>): string[] {
  const passed = turns.filter(({ hasPassed }) => hasPassed).length;
  return [
    `${passed} of ${turns.length}`,
    duration >= 1000 ? `${(duration / 1000).toFixed(1)} s` : `${Math.round(duration)} ms`,
    String(Math.round(tokens)),
    cost === undefined ? '–' : cost.toPrecision(2),
  ];
}

/** Pass rate, time, tokens and cost of turns. */
export function summaryOf(turns: readonly EvaluatedTurn[]): Omit<EvaluationCell, 'model' | 'question' | 'turns'> {
  const durations = turns.map(({ duration }) => duration).sort((a, b) => a - b);
  const costs = turns.flatMap(({ cost }) => cost ?? []);
  return {
    passRate: turns.filter(({ hasPassed }) => hasPassed).length / turns.length,
    duration: durations[Math.floor(durations.length / 2)]!,
    tokens: mean(turns.map(({ usage }) => (usage ? totalOf(usage) : 0))),
    cost: costs.length > 0 ? mean(costs) : undefined,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
