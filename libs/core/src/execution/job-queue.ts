import type { Awaitable } from '../model/awaitable.js';
import { serviceKey } from '../model/request-services.js';

/** Hands turns to the workers of long tools. */
export interface JobQueue {
  add(turnId: string, options: { readonly queue: string }): Awaitable<void>;
}

/** Undefined if no queue or no journal keeps the turns of the application. */
export const JOB_QUEUE = serviceKey<JobQueue>('JobQueue');
