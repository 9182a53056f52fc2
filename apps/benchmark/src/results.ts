/* What `npm run bench` has measured, as it is kept. */
import type { ColdStart } from './cold-start/milestones.js';
import { median } from './measure.js';
import type { Concurrency } from './suites/concurrency.js';
import type { Enhancers } from './suites/enhancers.js';
import type { Growth } from './suites/growth.js';
import type { Searched } from './suites/search.js';
import type { Taken } from './suites/turns.js';

/** What one contestant needed, round by round. */
export type Rounds<T> = Readonly<Record<string, readonly T[]>>;

/** Requests in a second, and milliseconds that one took. */
export interface Load {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Results {
  readonly node: string;
  readonly rounds: number;
  /** Of the time that measurements usually take. */
  readonly scale: number;
  readonly contestants: Readonly<Record<string, { readonly name: string; readonly version?: string }>>;
  /** By job: a, b, c, d, e. */
  readonly turns: Readonly<Record<string, Rounds<Taken>>>;
  readonly coldStart: Rounds<ColdStart>;
  readonly concurrency: Rounds<Concurrency>;
  readonly growth: Rounds<Growth>;
  readonly enhancers: readonly Enhancers[];
  readonly search: readonly Readonly<Record<'all' | 'searched', Searched>>[];
  /** By endpoint. */
  readonly http: Readonly<Record<string, Rounds<Load>>>;
}

/** A figure of a contestant, over its rounds. */
export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function figureOf<T>(
  rounds: readonly T[] | undefined,
  read: (round: T) => number | undefined,
): Figure | undefined {
  const values = (rounds ?? []).map(read).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** A figure over that of another contestant, round by round: both were measured in the same minute. */
export function ratioOf<T>(
  rounds: Rounds<T> | undefined,
  [one, other]: readonly [string, string],
  read: (round: T) => number | undefined,
): Figure | undefined {
  const others = rounds?.[other] ?? [];
  return figureOf(
    (rounds?.[one] ?? []).map((mine, at) => ({ mine, theirs: others[at] })),
    ({ mine, theirs }) => {
      const [over, under] = [read(mine), theirs && read(theirs)];
      return over !== undefined && under ? over / under : undefined;
    },
  );
}
