import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ChatClient } from '@nestor-ai/core';
import { DeferredResults, type JournaledTurn, toSuspendedTurn, TurnJournal } from '@nestor-ai/turns';
import { ClusterModule } from './cluster.module.js';
import { findServices } from './services.js';

const WORKERS = ['1', '2'];
const REPORTS = 4;

/** Shows that turns survive their process: one of two workers is killed. */
export async function runCluster(print: (line: string) => void): Promise<void> {
  const services = await findServices();
  const app = await start('web');
  print('Two workers start. This process only queues turns.');
  const workers = await Promise.all(WORKERS.map(startWorker));
  try {
    const client = app.get(ChatClient);
    const ask = (question: string): Promise<string> => client.prompt(question).enqueue();
    const ids: string[] = [];
    for (let customer = 1; customer <= REPORTS; customer++)
      ids.push(await ask(`Write the sales report of customer ${customer}`));
    const asked = await ask('Ask the credit bureau about customer 42');
    print(`${REPORTS + 1} turns are queued.`);
    await sleep(1000);
    print('Worker 1 is killed in the middle of a report.');
    workers[0]!.kill('SIGKILL');

    const waiting = await untilStatus(app, asked, 'suspended');
    print('The answer of the bureau arrives.');
    const [call] = toSuspendedTurn(waiting)!.pending;
    await app.get(DeferredResults).deliver(`${asked}:${call!.id}`, 'The customer is creditworthy.');
    for (const id of [...ids, asked]) print(`> ${answerOf(await untilStatus(app, id, 'ended'))}`);
    print('All turns have ended.');
  } finally {
    for (const worker of workers) worker.kill();
    await app.close();
  }

  function start(role: 'web'): Promise<INestApplicationContext> {
    return NestFactory.createApplicationContext(ClusterModule.of(role, services), {
      logger: ['error', 'warn'],
      abortOnError: false,
    });
  }
}

/** Runs in the process of a worker. */
export async function runClusterWorker(): Promise<void> {
  const app = await NestFactory.createApplicationContext(ClusterModule.of('worker', await findServices()), {
    logger: ['error'],
    abortOnError: false,
  });
  app.enableShutdownHooks();
  process.send?.('ready');
}

async function startWorker(name: string): Promise<ChildProcess> {
  const worker = fork(process.argv[1]!, ['--cluster-worker'], { env: { ...process.env, WORKER: name } });
  await once(worker, 'message');
  return worker;
}

async function untilStatus(
  app: INestApplicationContext,
  turnId: string,
  status: JournaledTurn['status'],
): Promise<JournaledTurn> {
  for (;;) {
    const turn = (await app.get(TurnJournal).read(turnId))!;
    if (turn.status === status) return turn;
    await sleep(100);
  }
}

function answerOf({ entries }: JournaledTurn): string {
  const answer = entries.findLast((entry) => entry.kind === 'answered');
  return String(answer?.messages.at(-1)?.text);
}
