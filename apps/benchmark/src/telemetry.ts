/*
 * What telemetry costs, in one process, in batches that take turns, so that a busy machine is busy for all.
 *
 * 1. With `--against DIR`, another checkout with this benchmark built: jobs a and d here and there, without a telemetry SDK.
 * 2. With the SDK of OpenTelemetry and a batch exporter: what a span costs beyond what the SDK takes for the same spans.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { createJobs } from './nestor-jobs.js';
import type { Jobs } from './harness.js';

type Job = () => Promise<unknown>;

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 300);
const LIMIT = { ratio: 1.05, microseconds: 2 };

const BATCH = 200;
const IN_CONTEXT = ROOT_CONTEXT.setValue(Symbol('here'), true);
const MODES = ['silent', 'observed'];
const CHILDREN = Number(process.env.BENCH_CHILDREN ?? 8);
const at = process.argv.indexOf('--against');
const child = process.argv.indexOf('--child');
const here = await createJobs();
const stream =
  (jobs: Jobs): Job =>
  () =>
    jobs.d(() => undefined);

if (at > 0) {
  const other = pathToFileURL(resolve(process.argv[at + 1] ?? '', 'apps/benchmark/dist/nestor-jobs.js')).href;
  const { createJobs: createOthers } = (await import(other)) as { createJobs: typeof createJobs };
  const there = await createOthers();
  report('a, without an SDK', await compare({ here: here.a, there: there.a }, 200));
  report('d, without an SDK', await compare({ here: stream(here), there: stream(there) }, 4));
}

/** Receives the spans of one turn, when there is somebody to receive them. */
let receive: ((spans: readonly ReadableSpan[]) => void) | undefined;
const provider = new BasicTracerProvider({
  spanProcessors: [
    new BatchSpanProcessor(
      {
        export: (spans, done) => {
          receive?.(spans);
          done({ code: 0 });
        },
        shutdown: () => Promise.resolve(),
      },
      // Nothing is dropped: what is not kept would cost nothing.
      { maxQueueSize: 1_000_000 },
    ),
  ],
});
const contextManager = new AsyncLocalStorageContextManager().enable();
const register = (): void => {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(contextManager);
};
const inside =
  (job: Job): Job =>
  async () => {
    register();
    try {
      await job();
    } finally {
      trace.disable();
      context.disable();
      contextManager.enable();
    }
  };

if (child > 0) {
  register();
  if (process.argv[child + 1] !== 'observed') trace.disable();
  const run = stream(here);
  const times = await context.with(IN_CONTEXT, () => compare({ run }, 4, () => provider.forceFlush()));
  console.log(times.run);
  process.exit(0);
}

{
  const turn = await spansOf(inside(here.a));
  const times = await compare(
    {
      // With the context manager, which makes every promise dearer, but without a tracer.
      silent: inContext(batchOf(here.a, BATCH)),
      observed: inside(batchOf(here.a, BATCH)),
      raw: inside(batchOf(() => sameSpans(turn), BATCH)),
    },
    1,
    () => provider.forceFlush(),
  );
  tellOfSpans('a', turn.length, {
    silent: times.silent / BATCH,
    observed: times.observed / BATCH,
    raw: times.raw / BATCH,
  });
  // What is done for each chunk depends on what the engine has seen before: each in a process of its own.
  const best = (mode: string): number => Math.min(...children.map((found) => found[mode]!));
  const children = Array.from({ length: CHILDREN }, (_, at) =>
    Object.fromEntries((at % 2 ? MODES : MODES.toReversed()).map((mode) => [mode, runChild(mode)])),
  );
  const raw = await compare({ raw: inside(() => sameSpans(turn)) }, BATCH, () => provider.forceFlush());
  tellOfSpans('d', turn.length, { silent: best('silent'), observed: best('observed'), raw: raw.raw });
}
await provider.shutdown();

function inContext(job: Job): Job {
  return async () => {
    context.setGlobalContextManager(contextManager);
    try {
      await context.with(IN_CONTEXT, job);
    } finally {
      context.disable();
      contextManager.enable();
    }
  };
}

function tellOfSpans(job: string, spans: number, times: Record<'silent' | 'observed' | 'raw', number>): void {
  const { silent, observed, raw } = times;
  const own = (observed - silent - raw) / spans;
  const verdict = own <= LIMIT.microseconds ? 'met' : 'NOT MET';
  console.log(
    `${job}, with an SDK: ${silent.toFixed(1)} µs silent, ${observed.toFixed(1)} µs with ${spans} spans, ${raw.toFixed(1)} µs for the same ` +
      `spans alone: ${own.toFixed(2)} µs a span beyond the SDK (limit ${LIMIT.microseconds}: ${verdict})`,
  );
}

/** The time of job d in a process of its own, in microseconds. */
function runChild(mode: string): number {
  const script = fileURLToPath(import.meta.url);
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', script, '--child', mode], {
    encoding: 'utf8',
  });
  const time = Number(stdout);
  if (!(time > 0)) throw new Error(`The process for d, ${mode}, gave no time.\n${stderr}`);
  return time;
}

async function spansOf(job: Job): Promise<readonly ReadableSpan[]> {
  const turn: ReadableSpan[] = [];
  receive = (spans) => turn.push(...spans);
  await job();
  await provider.forceFlush();
  receive = undefined;
  return turn;
}

/** A job as often as one batch has it. */
function batchOf(job: Job, count: number): Job {
  return async () => {
    for (let run = 0; run < count; run++) await job();
  };
}

/** The time that a quarter of the batches stays below, in microseconds; what is above it, others have disturbed. They take turns. */
async function compare<Key extends string>(
  jobs: Record<Key, Job>,
  batch: number,
  afterEach: () => Promise<void> = async () => undefined,
): Promise<Record<Key, number>> {
  const keys = Object.keys(jobs) as Key[];
  const times = Object.fromEntries(keys.map((key) => [key, [] as number[]])) as Record<Key, number[]>;
  for (let round = -ROUNDS / 3; round < ROUNDS; round++) {
    for (const key of round % 2 ? keys : keys.toReversed()) {
      const start = performance.now();
      for (let run = 0; run < batch; run++) await jobs[key]();
      const took = performance.now() - start;
      if (round >= 0) times[key].push((took * 1000) / batch);
      await afterEach();
    }
  }
  return Object.fromEntries(keys.map((key) => [key, quartile(times[key])])) as Record<Key, number>;
}

function report(name: string, { here: mine, there: theirs }: Record<'here' | 'there', number>): void {
  const ratio = mine / theirs;
  const verdict = ratio <= LIMIT.ratio ? 'met' : 'NOT MET';
  console.log(
    `${name}: ${mine.toFixed(2)} µs here, ${theirs.toFixed(2)} µs there: ${ratio.toFixed(3)}x (limit ${LIMIT.ratio}: ${verdict})`,
  );
}

/** The same spans, made by hand: as many, as deep, with the same attributes. */
async function sameSpans(turn: readonly ReadableSpan[]): Promise<void> {
  const tracer = trace.getTracer('by hand');
  const childrenOf = new Map<string | undefined, ReadableSpan[]>();
  for (const span of turn) {
    const parent = span.parentSpanContext?.spanId;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), span]);
  }
  const make = async (model: ReadableSpan): Promise<void> => {
    const { name, kind, attributes } = model;
    const parent = context.active();
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    await context.with(trace.setSpan(parent, span), async () => {
      for (const child of childrenOf.get(model.spanContext().spanId) ?? []) await make(child);
    });
    span.end();
  };
  for (const root of childrenOf.get(undefined) ?? []) await make(root);
}

function quartile(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 4)]!;
}
