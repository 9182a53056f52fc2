import { createNoopMeter, type Histogram, type Meter, type MeterProvider, metrics } from '@opentelemetry/api';
import { SCOPE_NAME, SCOPE_OPTIONS, SCOPE_VERSION } from './gen-ai.js';

/** In seconds, as the conventions recommend. */
const DURATIONS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_CHUNKS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const ROUNDS = [1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 50, 100];
/** A tool call may only take microseconds. */
const TOOL_DURATIONS = [0.0001, 0.0005, 0.001, 0.005, ...DURATIONS];

/** The metric instruments. */
export type Instruments = ReturnType<typeof createInstruments>;

function createInstruments(meter: Meter) {
  const histogram = (name: string, unit: string, description: string, boundaries: number[]): Histogram =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: boundaries } });
  return {
    operationDuration: histogram('gen_ai.client.operation.duration', 's', 'GenAI operation duration.', DURATIONS),
    timeToFirstChunk: histogram(
      'gen_ai.client.operation.time_to_first_chunk',
      's',
      'Time to receive the first chunk of a streamed response.',
      FIRST_CHUNKS,
    ),
    tokenUsage: histogram('gen_ai.client.token.usage', '{token}', 'Number of input and output tokens used.', TOKENS),
    toolCalls: meter.createCounter('nestor.tool.calls', {
      unit: '{call}',
      description: 'Tool calls that models asked for, by outcome.',
    }),
    toolCallDuration: histogram(
      'nestor.tool.call.duration',
      's',
      'Duration of tool calls, including guards, interceptors and policies.',
      TOOL_DURATIONS,
    ),
    requestDuration: histogram(
      'nestor.chat_client.duration',
      's',
      'Duration of requests of a ChatClient, over all rounds.',
      DURATIONS,
    ),
    turnRounds: histogram('nestor.turn.rounds', '{round}', 'Rounds of model calls in a turn.', ROUNDS),
  };
}

/** Cached by meter provider. Null for the no-op provider. */
const instrumentsOf = new WeakMap<MeterProvider, Instruments | null>();

/** The instruments of the registered telemetry SDK. Undefined if there is none. */
export function currentInstruments(): Instruments | undefined {
  const provider = metrics.getMeterProvider();
  let instruments = instrumentsOf.get(provider);
  if (instruments === undefined) {
    const meter = provider.getMeter(SCOPE_NAME, SCOPE_VERSION, SCOPE_OPTIONS);
    instruments = meter === createNoopMeter() ? null : createInstruments(meter);
    instrumentsOf.set(provider, instruments);
  }
  return instruments ?? undefined;
}
