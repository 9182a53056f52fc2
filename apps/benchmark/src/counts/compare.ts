import type { Counts } from './count.js';

/** What was counted of each job when somebody last looked. */
export type Baseline = Readonly<Record<string, Counts>>;

interface Tolerance {
  /** Of what it was: the engine is updated, too. */
  readonly relative: number;
  /** Of what is next to nothing, a part says nothing. */
  readonly absolute: number;
}

/** By how much counts may be more. Promises are ours alone: not by one. */
const TOLERANCES: Readonly<Record<keyof Counts, Tolerance>> = {
  promises: { relative: 0, absolute: 0.1 },
  objects: { relative: 0.03, absolute: 2 },
  bytes: { relative: 0.03, absolute: 150 },
  keptBytes: { relative: 0.03, absolute: 100 },
  leakedBytes: { relative: 0, absolute: 8 },
};

/** Whoever does half of the work makes half of the promises: that is no progress. */
const SUSPICIOUS = 0.6;

/** What has become more than it was, or less, in words. */
export function compare(baseline: Baseline, counts: Baseline): { worse: string[]; better: string[] } {
  const worse: string[] = [];
  const better: string[] = [];
  for (const [job, known] of Object.entries(baseline)) {
    const now = counts[job];
    if (!now) {
      worse.push(`'${job}' is not counted any more`);
      continue;
    }
    for (const [key, { relative, absolute }] of Object.entries(TOLERANCES) as [keyof Counts, Tolerance][]) {
      const room = Math.max(absolute, known[key] * relative);
      const line = `${job}: ${now[key].toFixed(1)} ${key} a turn instead of ${known[key].toFixed(1)}`;
      if (now[key] > known[key] + room) worse.push(line);
      else if (key !== 'keptBytes' && now[key] < known[key] * SUSPICIOUS - room)
        worse.push(`${line}: is it still done?`);
      else if (now[key] < known[key] - room) better.push(line);
    }
  }
  for (const job of Object.keys(counts)) if (!baseline[job]) worse.push(`'${job}' is new: nothing is known of it`);
  return { worse, better };
}
