import { setTimeout as sleep } from 'node:timers/promises';
import { type Queue, Worker } from 'bullmq';

/** How long BullMQ may take to end its jobs and commands, in milliseconds. */
const PATIENCE = 3000;

/** Closes a queue or a worker. BullMQ itself would wait until a Redis that is away is back. */
export async function closeBull(owner: Queue | Worker): Promise<void> {
  const { backend } = owner;
  const client = await Promise.race([backend.client, sleep(0)]).catch(() => undefined);
  const isAway = client?.status !== 'ready';
  const closing = owner instanceof Worker ? owner.close(isAway) : backend.close(isAway);
  await Promise.race([closing.catch(() => undefined), sleep(PATIENCE, undefined, { ref: false })]);
  // A worker that still waits for its jobs has not closed its connections.
  backend.close(true).catch(() => undefined);
}
