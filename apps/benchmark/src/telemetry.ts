/* What a span costs beyond what the SDK of OpenTelemetry takes for the same spans, with a batch exporter. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { contestant } from './contestants/nestor.js';
import { jobOf } from './suites/turns.js';
import { inTurns, type Job } from './in-turns.js';

/** In microseconds a span. */
const LIMIT = 2;

const BATCH = 200;
const IN_CONTEXT = ROOT_CONTEXT.setValue(Symbol('here'), true);
const MODES = ['silent', 'observed'];
const CHILDREN = Number(process.env.BENCH_CHILDREN ?? 8);
const child = process.argv.indexOf('--child');
const turn = await jobOf(contestant, 'a');
const stream = await jobOf(contestant, 'd');

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
  const times = await context.with(IN_CONTEXT, () => inTurns({ run: stream }, 4, () => provider.forceFlush()));
  console.log(times.run);
  process.exit(0);
}

{
  const spans = await spansOf(inside(turn));
  const times = await inTurns(
    {
      // With the context manager, which makes every promise dearer, but without a tracer.
      silent: inContext(batchOf(turn, BATCH)),
      observed: inside(batchOf(turn, BATCH)),
      raw: inside(batchOf(() => sameSpans(spans), BATCH)),
    },
    1,
    () => provider.forceFlush(),
  );
  tellOfSpans('a', spans.length, {
    silent: times.silent / BATCH,
    observed: times.observed / BATCH,
    raw: times.raw / BATCH,
  });
  // What is done for each chunk depends on what the engine has seen before: each in a process of its own.
  const best = (mode: string): number => Math.min(...children.map((found) => found[mode]!));
  const children = Array.from({ length: CHILDREN }, (_, at) =>
    Object.fromEntries((at % 2 ? MODES : MODES.toReversed()).map((mode) => [mode, runChild(mode)])),
  );
  const raw = await inTurns({ raw: inside(() => sameSpans(spans)) }, BATCH, () => provider.forceFlush());
  tellOfSpans('d', spans.length, { silent: best('silent'), observed: best('observed'), raw: raw.raw });
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
  const verdict = own <= LIMIT ? 'met' : 'NOT MET';
  console.log(
    `${job}, with an SDK: ${silent.toFixed(1)} µs silent, ${observed.toFixed(1)} µs with ${spans} spans, ${raw.toFixed(1)} µs for the same ` +
      `spans alone: ${own.toFixed(2)} µs a span beyond the SDK (limit ${LIMIT}: ${verdict})`,
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
  const made: ReadableSpan[] = [];
  receive = (spans) => made.push(...spans);
  await job();
  await provider.forceFlush();
  receive = undefined;
  return made;
}

/** A job as often as one batch has it. */
function batchOf(job: Job, count: number): Job {
  return async () => {
    for (let run = 0; run < count; run++) await job();
  };
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
