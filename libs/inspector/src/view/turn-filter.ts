import type { TurnRow } from './turn-view.js';

/** The filters of the list of turns, as they are in the address. */
export interface TurnFilter {
  readonly client?: string;
  /** A status, or `tool-failed`. */
  readonly status?: string;
  readonly tool?: string;
  /** A list if the address has it more than once. */
  readonly text?: string | readonly string[];
  /** The user to act as. */
  readonly as?: string;
  /** How many turns to list. */
  readonly limit?: string;
  /** `time` or `tool`: the longest first, or those with the slowest tools. Default: the newest. */
  readonly sort?: string;
}

/** What a list begins with is the highest. */
export const SORTED_BY: ReadonlyMap<string | undefined, (turn: TurnRow) => number> = new Map([
  ['time', ({ duration = 0 }: TurnRow) => duration],
  ['tool', ({ slowest }: TurnRow) => slowest?.duration ?? 0],
]);

/** The most that a list may have. */
export const MOST_LISTED = 10_000;

/** How much of a list the page wants. @param least what it gets without asking, or with nonsense */
export function limitOf(wanted: unknown, least: number): number {
  return Math.min(Math.max(least, Math.trunc(Number(wanted)) || 0), MOST_LISTED);
}

/**
 * Whether a turn passes all filters. The texts are those of the page: a search must not reveal
 * hidden contents.
 */
export function passes(turn: TurnRow, filter: TurnFilter): boolean {
  const { client, status, toolCalls, question, answer, hasToolErrors } = turn;
  if (filter.client && client !== filter.client) return false;
  if (filter.status === 'tool-failed' ? !hasToolErrors : filter.status && status !== filter.status) return false;
  if (filter.tool && !toolCalls.includes(filter.tool)) return false;
  return !filter.text || `${question}\n${answer}`.toLowerCase().includes(String(filter.text).toLowerCase());
}
