import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatClientEvent } from '@nestor-ai/core';
import { RemoteToolCallbackProvider } from '@nestor-ai/remote-tools';
import { callOf, resultOf, type Scene } from '../nest/application.js';
import { alice, Stage } from './applications.js';
import { availableTransports } from './transports.js';
import { until } from '../until.js';
import { untilOffered } from './until-offered.js';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const transports = await availableTransports();
const stages = transports.map((transport) => ({ name: transport.name, stage: new Stage(transport) }));
const namespace = stages[0]!.stage.namespace;

let service: ChildProcess;
beforeAll(async () => {
  const servers = JSON.stringify(stages.map(({ stage }) => stage.transport.server));
  const program = ['--import', here('../../apps/from-sources.mjs'), here('./service-program.ts'), namespace, servers];
  const env = { ...process.env, NEVER_REPORTS: 'true' };
  service = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(service.stdout!, 'data');
});
afterAll(async () => {
  service.kill('SIGKILL');
  await Promise.all(stages.map(({ stage }) => stage.close()));
});

/** Waits until the caller knows the tools. */
async function untilFound({ app }: Scene): Promise<void> {
  const provider = app.get(RemoteToolCallbackProvider);
  while ((await provider.getToolCallbacks()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Starts a request, and waits until its tool has begun. */
async function begin(scene: Scene): Promise<{ readonly ended: Promise<unknown> }> {
  await untilFound(scene);
  let hasBegun = false;
  const ended = new Promise<unknown>((resolve) => {
    scene.client
      .prompt('…')
      .request(alice)
      .stream()
      .events()
      .subscribe({
        next: ({ type }: ChatClientEvent) => (hasBegun ||= type === 'tool-progress'),
        error: resolve,
        complete: () => resolve(undefined),
      });
  });
  await until(() => hasBegun);
  return { ended };
}

describe('a service that is killed in the middle of a call', () => {
  it('fails the call, takes its tools along, and is found again when it has started', async () => {
    const scenes = await Promise.all(
      stages.map(async ({ stage }) => ({
        stage,
        waiting: await stage.caller([...callOf('wait'), ...Array.from({ length: 500 }, () => 'nothing to do')], {
          namespace,
          ttl: 800,
        }),
        reporting: await stage.caller(callOf('report'), { namespace, ttl: 800 }),
      })),
    );
    const calls = await Promise.all(scenes.flatMap(({ waiting, reporting }) => [begin(waiting), begin(reporting)]));
    const others = await Promise.all(stages.map(({ stage }) => stage.prepare({ namespace })));
    service.kill('SIGKILL');
    await once(service, 'exit');
    await Promise.all(others.map((other) => other.startAllMicroservices()));
    await Promise.all(calls.map(({ ended }) => ended));
    for (const { waiting, reporting } of scenes) {
      expect(resultOf(waiting)).toMatch(
        /^The connection to the service 'shop' was lost during the call of 'wait' \(.+\)\. The call may have run\.$/,
      );
      // It may run twice, so another process has run it.
      expect(resultOf(reporting)).toBe('reported');
      await untilOffered(waiting, (names) => names.includes('findOrder'));
    }
    await Promise.all(
      scenes.map(async ({ stage, waiting }) => {
        await stage.close();
        await untilOffered(waiting, (names) => names.length === 0);
      }),
    );
  });
});
