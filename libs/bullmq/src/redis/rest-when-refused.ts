import type { Worker } from 'bullmq';

/** How long a worker rests, in milliseconds. */
const REST = 1000;

/**
 * Lets a worker rest when Redis refuses its commands, such as without a permission. BullMQ itself would
 * send them again at once, or do so without end before anything else in the process can run.
 *
 * @param isOver whether the worker must not go on
 */
export function restWhenRefused(worker: Worker, isOver: () => boolean): void {
  worker.on('error', (error) => {
    // It waits for a connection by itself.
    if ('code' in error || worker.isPaused()) return;
    void worker.pause(true);
    setTimeout(() => void (isOver() || worker.resume()), REST).unref();
  });
}
