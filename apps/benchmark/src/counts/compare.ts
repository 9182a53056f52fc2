import type { Counts } from './count.js';

/** What was counted of each job when somebody last looked. */
export type Baseline = Readonly<Record<string, Counts>>;

/** By how much counts may be more: the engine is updated, too. */
export const TOLERANCE = {
  relative: 0.03,
  /** Of what is next to nothing, a part says nothing. */
  absolute: { promises: 0.1, objects: 2, bytes: 150, keptBytes: 200 },
} as const;

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
    for (const key of Object.keys(TOLERANCE.absolute) as (keyof Counts)[]) {
      const room = Math.max(TOLERANCE.absolute[key], known[key] * TOLERANCE.relative);
      const line = `${job}: ${now[key].toFixed(1)} ${key} a turn instead of ${known[key].toFixed(1)}`;
      if (now[key] > known[key] + room) worse.push(line);
      else if (now[key] < known[key] - room) better.push(line);
    }
  }
  for (const job of Object.keys(counts)) if (!baseline[job]) worse.push(`'${job}' is new: nothing is known of it`);
  return { worse, better };
}
