import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Test } from '@nestjs/testing';
import { ChatClient } from '@nestor-ai/core';
import { AppModule } from '../../apps/assistant/src/app.module.js';
import { readArguments } from '../../apps/assistant/src/arguments.js';
import { runQuickStart } from '../../apps/assistant/src/quick-start.js';
import { TelemetryModule } from '../../apps/assistant/src/telemetry/telemetry.module.js';

interface OtlpSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly scope: { name: string }; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpMetrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** A collector, as far as it has to be one: takes what it is sent. */
const received: { readonly path: string; readonly body: unknown }[] = [];
let collector: Server;
beforeAll(async () => {
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url!, body: JSON.parse(body) });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

test('the assistant sends its traces and measurements to a collector, all of them before it ends', async () => {
  const telemetry = TelemetryModule.of({ console: false, collector: process.env.OTEL_EXPORTER_OTLP_ENDPOINT });
  const module = await Test.createTestingModule({ imports: [AppModule, ...telemetry] }).compile();
  const app = await module.createNestApplication({ logger: false }).init();
  await runQuickStart(app.get(ChatClient), () => undefined);
  await app.close();

  const traces = received.filter(({ path }) => path === '/v1/traces').map(({ body }) => body as OtlpTraces);
  const resources = traces.flatMap(({ resourceSpans }) => resourceSpans);
  expect(resources[0]!.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'assistant' },
  });
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans);
  const requests = spans.filter(({ name }) => name === 'chat_client');
  expect(requests).toHaveLength(2);
  const parentOf = (name: string): string | undefined => {
    const { parentSpanId } = spans.find((span) => span.name === name)!;
    return spans.find(({ spanId }) => spanId === parentSpanId)?.name;
  };
  expect(parentOf('execute_tool setAlarm')).toBe('tool_calling');
  expect(parentOf('chat offline-stand-in')).toBe('tool_call_printer');

  const metrics = received.filter(({ path }) => path === '/v1/metrics').map(({ body }) => body as OtlpMetrics);
  const names = metrics
    .flatMap(({ resourceMetrics }) => resourceMetrics)
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics.map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(['gen_ai.client.operation.duration', 'nestor.tool.calls']));
});

test('without a collector and without --trace there is no telemetry', () => {
  expect(TelemetryModule.of({ console: false, collector: undefined })).toEqual([]);
  expect(readArguments(['--once']).trace).toBe(false);
  expect(readArguments(['--trace', '--once']).trace).toBe(true);
});
