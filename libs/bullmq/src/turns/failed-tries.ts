import { AiShutdownException, ConversationBusyException, isStoreFailure, ToolApprovalException } from '@nestor-ai/core';
import type { JournaledTurn } from '@nestor-ai/turns';
import type { Job } from 'bullmq';
import type { TurnJob } from './bull-turn.queue.js';

/** Whether the process died that had the turn before. A turn that has not begun is held by its job only. */
export function hasLostWorker(
  { lapsedOwner, status, pendingCallIds }: JournaledTurn,
  { stalledCounter }: Job<TurnJob>,
): boolean {
  const hasNotBegun = status === 'queued' && pendingCallIds.length === 0;
  return hasNotBegun ? stalledCounter > 0 : lapsedOwner !== undefined;
}

/** Whether a try has failed. Otherwise it was given back, or a store cannot be reached. */
export function isFailure(error: unknown): boolean {
  return !(error instanceof AiShutdownException || error instanceof ConversationBusyException || isStoreFailure(error));
}

/** Whether no process goes on with the turn by itself. */
export function isFinal(error: unknown, isLastAttempt: boolean): boolean {
  if (!isFailure(error)) return false;
  if (!(error instanceof ToolApprovalException)) return isLastAttempt;
  const { problem } = error;
  return isLastAttempt && problem !== 'uncertain' && problem !== 'conflict' && problem !== 'unavailable';
}
