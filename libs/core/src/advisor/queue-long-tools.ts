import { TURN_QUEUE } from '../execution/turn-queue.js';
import type { TurnControl } from '../model/turn-control.js';
import type { TurnToSuspend } from './suspension.js';

/**
 * Hands a suspended turn whose calls run as jobs to the workers of these jobs. If the queue loses
 * it, they find it in the journal.
 */
export async function queueLongTools({ id, scope }: TurnControl, { executed }: TurnToSuspend): Promise<void> {
  const waiting = Object.values(executed.pendingInputs ?? {});
  const queue = waiting.find((input) => input.queue !== undefined)?.queue;
  if (queue !== undefined) await scope.services?.get(TURN_QUEUE)?.add(id, { queue });
}
