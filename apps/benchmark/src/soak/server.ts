/* The application under soak, in a process of its own. It ends with the process that has started it. */
import 'reflect-metadata';
import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { NestFactory } from '@nestjs/core';
import { Observations, SoakModule } from './application.js';
import type { Gauges } from './gauges.js';

const NANOSECONDS = 1e6;

/** What is there now, after a full garbage collection. The delay is that since the last measurement. */
function measure({ sharedSignal, doubleTransfers }: Observations, delays: IntervalHistogram): Gauges {
  const delayP99 = delays.percentile(99) / NANOSECONDS;
  // Weak references are only let go of in the next one.
  for (let times = 0; times < 3; times++) globalThis.gc!();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  delays.reset();
  return {
    heapMegabytes: process.memoryUsage().heapUsed / 2 ** 20,
    resources,
    listeners: ofProcess + getEventListeners(sharedSignal, 'abort').length,
    delayP99,
    doubleTransfers,
  };
}

const app = await NestFactory.create(SoakModule, { logger: false });
await app.listen(0, '127.0.0.1');
const observations = app.get(Observations);
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
process.on('message', () => process.send!(measure(observations, delays)));
process.on('disconnect', () => process.exit());
process.send!((app.getHttpServer() as { address(): AddressInfo }).address().port);
