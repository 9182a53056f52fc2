import { afterAll, beforeEach } from '@jest/globals';
import { type Attributes, context, metrics, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** One point of a metric: how often and how much, for these attributes. */
export interface Point {
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
}

/** The real SDK of OpenTelemetry, which keeps what it is given. Registered for the whole test file. */
export class Recorder {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#metrics, exportIntervalMillis: 3_600_000 });
  readonly #meterProvider = new MeterProvider({ readers: [this.#reader] });
  readonly tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] });

  static register({ contextManager = true } = {}): Recorder {
    const recorder = new Recorder();
    trace.setGlobalTracerProvider(recorder.tracerProvider);
    metrics.setGlobalMeterProvider(recorder.#meterProvider);
    if (contextManager) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    beforeEach(async () => {
      await recorder.#reader.forceFlush();
      recorder.#metrics.reset();
      recorder.#spans.reset();
    });
    afterAll(async () => {
      trace.disable();
      metrics.disable();
      context.disable();
      await recorder.tracerProvider.shutdown();
      await recorder.#meterProvider.shutdown();
    });
    return recorder;
  }

  /** The spans that have ended, in the order of their beginnings. */
  get spans(): ReadableSpan[] {
    return this.#spans
      .getFinishedSpans()
      .toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1]);
  }

  /** The spans of a name. */
  named(name: string): ReadableSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  /** The only span of a name. */
  span(name: string): ReadableSpan {
    const [found, another] = this.named(name);
    if (!found || another) throw new Error(`There are ${this.named(name).length} spans '${name}' in\n${this.tree()}`);
    return found;
  }

  parentOf(span: ReadableSpan): ReadableSpan | undefined {
    return this.spans.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
  }

  /** The spans as a tree, a line each; those that failed with why. */
  tree(): string {
    const { spans } = this;
    const lines: string[] = [];
    const write = (span: ReadableSpan, depth: number): void => {
      const failed = span.status.code === SpanStatusCode.ERROR ? ` !${String(span.attributes['error.type'])}` : '';
      const aborted = span.attributes['nestor.aborted'] ? ' aborted' : '';
      lines.push(`${'  '.repeat(depth)}${span.name}${failed}${aborted}`);
      for (const child of spans) {
        if (child.parentSpanContext?.spanId === span.spanContext().spanId) write(child, depth + 1);
      }
    };
    for (const span of spans) if (!this.parentOf(span)) write(span, 0);
    return lines.join('\n');
  }

  /** What was measured since the test began. */
  async points(metric: string): Promise<Point[]> {
    await this.#reader.forceFlush();
    const found = this.#metrics
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics: all }) => all)
      .filter(({ descriptor }) => descriptor.name === metric);
    return found.flatMap(({ dataPoints }) =>
      (dataPoints as DataPoint<number | Histogram>[]).map(({ attributes, value }) =>
        typeof value === 'number'
          ? { attributes, count: 1, sum: value }
          : { attributes, count: value.count, sum: value.sum ?? 0 },
      ),
    );
  }

  /** Everything that was given, as text, to look for what must not be there. */
  async everything(): Promise<string> {
    await this.#reader.forceFlush();
    const spans = this.spans.map(({ name, attributes, events, status, links, resource }) => ({
      name,
      attributes,
      events,
      status,
      links: links.length,
      resource: resource.attributes,
    }));
    return JSON.stringify([spans, this.#metrics.getMetrics()]);
  }
}
