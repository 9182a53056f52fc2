/* The application under soak, in a process of its own. It ends with the process that has started it. */
import 'reflect-metadata';
import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Observations, SoakModule } from './application.js';
import type { Gauges } from './gauges.js';

const NANOSECONDS = 1e6;

/** What is there now, after a full garbage collection. The delay is that since the last measurement. */
async function measure(observed: Observations, delays: IntervalHistogram): Promise<Gauges> {
  const delayP99 = delays.percentile(99) / NANOSECONDS;
  // What is only held weakly is let go of between two of them.
  for (let times = 0; times < 3; times++) {
    globalThis.gc!();
    await sleep(10);
  }
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  const { sharedSignal, keptRequests, doubleTransfers } = observed;
  delays.reset();
  return {
    heapMegabytes: process.memoryUsage().heapUsed / 2 ** 20,
    resources,
    listeners: ofProcess + getEventListeners(sharedSignal, 'abort').length,
    delayP99,
    keptRequests,
    doubleTransfers,
  };
}

const app = await NestFactory.create(SoakModule, { logger: false });
await app.listen(0, '127.0.0.1');
const observations = app.get(Observations);
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
process.on('message', () => void measure(observations, delays).then((gauges) => process.send!(gauges)));
process.on('disconnect', () => process.exit());
process.send!((app.getHttpServer() as { address(): AddressInfo }).address().port);
