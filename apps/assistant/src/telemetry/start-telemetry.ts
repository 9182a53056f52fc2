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

/** Where telemetry goes. */
export interface TelemetryTargets {
  /** Whether it is printed. */
  readonly console: boolean;
  /**
   * A collector that takes OTLP over HTTP, such as `http://localhost:4318`. The exporters read it from `OTEL_EXPORTER_OTLP_ENDPOINT` themselves,
   * and with it headers and timeouts.
   */
  readonly collector: string | undefined;
}

/** Telemetry that is running. */
export interface Telemetry {
  /** Gives away what is left. */
  shutdown(): Promise<void>;
}

/** Registers the SDK of OpenTelemetry. Nestor notices it by itself: it needs nothing but this. */
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
