import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { ConsoleMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** The targets of telemetry. */
export interface TelemetryTargets {
  /** Whether to print it. */
  readonly console: boolean;
  /**
   * A collector that accepts OTLP over HTTP, such as `http://localhost:4318`. The exporters also
   * read it from `OTEL_EXPORTER_OTLP_ENDPOINT`, together with headers and timeouts.
   */
  readonly collector: string | undefined;
}

/** The running SDK. */
export interface Telemetry {
  /** Sends the remaining telemetry. */
  shutdown(): Promise<void>;
}

/** Registers the OpenTelemetry SDK. Nestor uses it without further configuration. */
export function startTelemetry({ console: isPrinted, collector }: TelemetryTargets): Telemetry {
  const resource = defaultResource().merge(
    resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME ?? 'assistant' }),
  );
  const tracerProvider = new BasicTracerProvider({
    resource,
    spanProcessors: [
      ...(isPrinted ? [new SimpleSpanProcessor(new ConsoleSpanExporter())] : []),
      ...(collector ? [new BatchSpanProcessor(new OTLPTraceExporter())] : []),
    ],
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      ...(isPrinted ? [new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter() })] : []),
      ...(collector ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })] : []),
    ],
  });
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    async shutdown() {
      await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
      trace.disable();
      metrics.disable();
      context.disable();
    },
  };
}
