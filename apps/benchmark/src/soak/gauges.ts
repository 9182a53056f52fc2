/** What is measured of a process. */
export interface Gauges {
  readonly heapMegabytes: number;
  /** What keeps the process alive, by its kind: `process.getActiveResourcesInfo()`. */
  readonly resources: Readonly<Record<string, number>>;
  /** Of the process, and of the signal that many requests share. */
  readonly listeners: number;
  /** Of the event loop, in milliseconds. */
  readonly delayP99: number;
  /** Approved calls that have run more than once. */
  readonly doubleTransfers: number;
}

/** What the callers have seen. */
export interface Tally {
  readonly done: number;
  /** By their status, or by what the caller did. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** What no caller may see. */
  readonly surprises: readonly string[];
}

/** Megabytes by which the heap may grow over the second half. What grows with each request exceeds it. */
const MAX_HEAP_GROWTH = 6;
/** Milliseconds. Garbage collections and neighbours on the machine take some of them. */
const MAX_DELAY = 500;

/** What is exceeded when the whole run is over. */
export function exceededBounds(start: Gauges, half: Gauges, end: Gauges, tally: Tally): readonly string[] {
  const problems = [...tally.surprises];
  const growth = end.heapMegabytes - half.heapMegabytes;
  if (growth > MAX_HEAP_GROWTH) problems.push(`the heap has grown by ${growth.toFixed(1)} MB over the second half`);
  for (const [kind, count] of Object.entries(end.resources)) {
    const before = start.resources[kind] ?? 0;
    if (count > before) problems.push(`${count} of ${kind} are active, ${before} were at the start`);
  }
  if (end.listeners > start.listeners) {
    problems.push(`there are ${end.listeners} listeners, ${start.listeners} were at the start`);
  }
  const delay = Math.max(half.delayP99, end.delayP99);
  if (delay > MAX_DELAY) problems.push(`the event loop was ${delay.toFixed(0)} ms late (p99)`);
  if (end.doubleTransfers > 0) problems.push(`${end.doubleTransfers} approved calls have run twice`);
  if (tally.done === 0) problems.push('no request was done');
  return problems;
}

/** The measurements of a moment in one line. */
export function describeGauges(when: string, { heapMegabytes, resources, listeners, delayP99 }: Gauges): string {
  const active = Object.entries(resources).map(([kind, count]) => `${count} ${kind}`);
  return (
    `${when.padEnd(6)} heap ${heapMegabytes.toFixed(1)} MB, listeners ${listeners}, event loop delay p99 ${delayP99.toFixed(0)} ms, ` +
    `active: ${active.join(', ') || 'nothing'}`
  );
}
