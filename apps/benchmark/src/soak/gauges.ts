/** What is measured of a process. */
export interface Gauges {
  readonly heapMegabytes: number;
  /** What keeps the process alive, by its kind: `process.getActiveResourcesInfo()`. */
  readonly resources: Readonly<Record<string, number>>;
  /** Of the process, and of the signal that many requests share. */
  readonly listeners: number;
  /** Of the event loop, in milliseconds. */
  readonly delayP99: number;
  /** Requests that are over, and whose response something still holds. */
  readonly keptRequests: number;
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

/** Megabytes by which the heap may grow over the second half: compiled code takes some. */
const MAX_HEAP_GROWTH = 4;
/** The last one of a connection may still be held by Node.js. */
const MAX_KEPT_REQUESTS = 5;
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
  if (end.keptRequests > MAX_KEPT_REQUESTS) problems.push(`${end.keptRequests} requests are over and kept`);
  if (end.doubleTransfers > 0) problems.push(`${end.doubleTransfers} approved calls have run twice`);
  if (tally.done === 0) problems.push('no request was done');
  return problems;
}

/** The measurements of a moment in one line. */
export function describeGauges(when: string, gauges: Gauges): string {
  const { heapMegabytes, resources, listeners, delayP99, keptRequests } = gauges;
  const active = Object.entries(resources).map(([kind, count]) => `${count} ${kind}`);
  return (
    `${when.padEnd(6)} heap ${heapMegabytes.toFixed(1)} MB, listeners ${listeners}, event loop delay p99 ${delayP99.toFixed(0)} ms, ` +
    `requests kept ${keptRequests}, active: ${active.join(', ') || 'nothing'}`
  );
}
