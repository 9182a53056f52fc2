/* What the inspector adds to a turn of three tool calls. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { AiInspectorModule } from '@nestor-ai/inspector';
import { TurnModel } from './contestants/nestor-models.js';
import { toolsClass } from './contestants/nestor.js';
import { inTurns, type Job } from './in-turns.js';
import { check } from './measure.js';
import { FINAL, ONE_CALL, QUESTION } from './work.js';

/** How much longer a turn may take while the inspector is on. */
const LIMIT = 1.05;

const BATCH = 200;
const SHAPES = {
  'three calls, one after the other': { rounds: 3, parallel: 1 },
  'three calls at once': { rounds: 1, parallel: 3 },
};

let isMissed = false;
for (const [name, shape] of Object.entries(SHAPES)) {
  const off = await jobOf(shape, { enabled: false });
  const on = await jobOf(shape, {});
  const keepsAll = await jobOf(shape, { maxTurnsPerSecond: Infinity });
  const times = await inTurns({ off, on, keepsAll }, BATCH);
  const ratio = times.on / times.off;
  isMissed ||= ratio > LIMIT;
  console.log(
    `${name}: ${times.off.toFixed(2)} µs without the inspector, ${times.on.toFixed(2)} µs with it: ${ratio.toFixed(3)}x ` +
      `(limit ${LIMIT}x: ${ratio <= LIMIT ? 'met' : 'NOT MET'})`,
  );
  console.log(
    `  if it keeps every turn, which applications with more than 100 turns a second must ask for: ${times.keepsAll.toFixed(2)} µs, ` +
      `${(times.keepsAll / times.off).toFixed(3)}x`,
  );
}
process.exit(isMissed ? 1 : 0);

async function jobOf(
  shape: { rounds: number; parallel: number },
  options: Parameters<typeof AiInspectorModule.forRoot>[0],
): Promise<Job> {
  const chatModel = new TurnModel({ ...ONE_CALL, ...shape });
  @Module({
    imports: [
      AiModule.forRoot({ chatModel }),
      AiInspectorModule.forRoot({
        enabled: true,
        ...options,
        guards: [
          class {
            canActivate = () => true;
          },
        ],
      }),
    ],
    providers: [toolsClass(ONE_CALL.tools, ONE_CALL.toolDelay)],
  })
  class InspectedModule {}
  const app = await NestFactory.createApplicationContext(InspectedModule, { logger: false });
  const client = app.get(ChatClient);
  return async () => check(await client.prompt(QUESTION).call().content(), FINAL);
}
