/* What a turn makes: counts that are the same on every machine. */
import { createHook } from 'node:async_hooks';
import type { HeapProfiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { type CallFrame, placeOf } from '../profile/place.js';

/** What one turn makes on average. */
export interface Counts {
  readonly promises: number;
  readonly objects: number;
  /** Of all objects. */
  readonly bytes: number;
  /** Of those that the collector of young objects could not free, though nobody needs them any more. */
  readonly keptBytes: number;
  /** Of those that not even a full collection frees. */
  readonly leakedBytes: number;
}

/** Counts, and where the objects are made. */
export interface Counted extends Counts {
  readonly layers: Readonly<Record<string, { readonly objects: number; readonly bytes: number }>>;
}

const WARM_UP = 100;
const RUNS = 200;
/** So many that the collector of young objects runs a few times. */
const LONG_RUN = 5000;

/** Call it in a process that is given {@link FLAGS}. */
export async function count(job: () => Promise<unknown>): Promise<Counted> {
  await repeat(job, WARM_UP);
  const promises = (await countPromises(job)) / RUNS;
  const keptBytes = await measureKept(job);
  const leakedBytes = await measureLeak(job);
  const { objects, bytes, layers } = await countObjects(job);
  return { promises, objects: objects / RUNS, bytes: bytes / RUNS, keptBytes, leakedBytes, layers };
}

/**
 * Code that the engine has compiled leaves out objects that nobody sees, when it sees fit: what it interprets makes each of them, always.
 */
export const FLAGS = ['--expose-gc', '--no-opt', '--no-maglev', '--no-sparkplug', '--single-threaded'];

async function repeat(job: () => Promise<unknown>, times: number): Promise<void> {
  for (let run = 0; run < times; run++) await job();
}

async function countPromises(job: () => Promise<unknown>): Promise<number> {
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++;
    },
  });
  hook.enable();
  await repeat(job, RUNS);
  hook.disable();
  return promises;
}

/** What has become old, without a full collection in between, and goes with one. */
async function measureKept(job: () => Promise<unknown>): Promise<number> {
  collect();
  await repeat(job, LONG_RUN);
  const grown = oldBytes();
  collect();
  // What is still there is needed, or has leaked: that is another count.
  return Math.max(0, grown - oldBytes()) / LONG_RUN;
}

/** What is there when everything is collected, and was not before. */
async function measureLeak(job: () => Promise<unknown>): Promise<number> {
  collect();
  const before = process.memoryUsage().heapUsed;
  await repeat(job, LONG_RUN);
  collect();
  return Math.max(0, process.memoryUsage().heapUsed - before) / LONG_RUN;
}

function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'old_space')
    .reduce((sum, { space_used_size: size }) => sum + size, 0);
}

function collect(): void {
  if (!globalThis.gc) throw new Error(`Counting needs a process with ${FLAGS.join(' ')}.`);
  globalThis.gc();
}

async function countObjects(job: () => Promise<unknown>): Promise<Pick<Counted, 'objects' | 'bytes' | 'layers'>> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.enable');
  collect();
  // Each byte may be a sample: every object is one.
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 1,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as HeapProfiler.StartSamplingParameterType);
  await repeat(job, RUNS);
  const stopped: { profile: unknown } = await session.post('HeapProfiler.stopSampling');
  const profile = stopped.profile as AllocationProfile;
  session.disconnect();
  const frames = new Map<number, CallFrame>();
  rememberFrames(profile.head, frames);
  const layers: Record<string, { objects: number; bytes: number }> = {};
  let bytes = 0;
  for (const { nodeId, size } of profile.samples) {
    const { layer } = placeOf(frames.get(nodeId)!);
    const of = (layers[layer] ??= { objects: 0, bytes: 0 });
    of.objects += 1 / RUNS;
    of.bytes += size / RUNS;
    bytes += size;
  }
  return { objects: profile.samples.length, bytes, layers };
}

/** What the types of Node.js leave out. */
interface AllocationProfile {
  readonly head: AllocationNode;
  readonly samples: readonly { readonly nodeId: number; readonly size: number }[];
}
interface AllocationNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children: readonly AllocationNode[];
}

function rememberFrames({ id, callFrame, children }: AllocationNode, frames: Map<number, CallFrame>): void {
  frames.set(id, callFrame);
  for (const child of children) rememberFrames(child, frames);
}
