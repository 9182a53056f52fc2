import { ProxyTracerProvider, trace, type Tracer } from '@opentelemetry/api';
import { currentInstruments, type Instruments } from './instruments.js';
import type { ObservabilityOptions } from './observability-options.js';
import { logOnce } from './safely.js';
import { RequestObservation } from './request-observation.js';
import { SCOPE_NAME, SCOPE_OPTIONS, SCOPE_VERSION } from './gen-ai.js';

const silentTracer = new ProxyTracerProvider().getTracer(SCOPE_NAME);

/**
 * Starts observing a request, or a batch of tool calls without a request.
 *
 * @returns undefined if no telemetry SDK is registered; checked for each request, since an SDK may
 * be registered at any time
 */
export function beginObservation(options: ObservabilityOptions = {}): RequestObservation | undefined {
  let tracer: Tracer | undefined;
  let instruments: Instruments | undefined;
  try {
    tracer = currentTracer();
    instruments = currentInstruments();
  } catch (error) {
    logOnce(error);
  }
  if (!tracer && !instruments) return undefined;
  return new RequestObservation(tracer ?? silentTracer, instruments, options);
}

/** The tracer of the registered telemetry SDK. Undefined if there is none. */
function currentTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  // The SDK's proxy knows whether a real provider is registered.
  return 'getDelegateTracer' in provider
    ? (provider as ProxyTracerProvider).getDelegateTracer(SCOPE_NAME, SCOPE_VERSION, SCOPE_OPTIONS)
    : provider.getTracer(SCOPE_NAME, SCOPE_VERSION, SCOPE_OPTIONS);
}
