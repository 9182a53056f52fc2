import type { PublicEvent } from '@nestor-ai/core';
import { toSafeJson } from '@nestor-ai/core/internal';

/**
 * Another process continues the turn after a crash. The events after a number are void: their
 * round was interrupted, and its events follow again.
 */
export interface RestartEvent {
  readonly type: 'restart';
  /** The number of the last event that stays valid. 0: none does. */
  readonly after: number;
}

/** The turn has failed. */
export interface TurnErrorEvent {
  readonly type: 'error';
  /** A text for users. The actual error may contain confidential data. */
  readonly message: string;
}

/** An event of a turn in a `TurnEventLog`. A browser may see all of it. */
export type RecordedEvent = PublicEvent | RestartEvent | TurnErrorEvent;

/** A {@link RecordedEvent} with its position in the turn. */
export interface NumberedRecordedEvent {
  /** The position in the turn, from 1. */
  readonly number: number;
  readonly event: RecordedEvent;
}

/** The reason in the `finish` event of a turn that a user has stopped. */
export const STOPPED = 'stopped';

/** Whether a stream ends after the event, unless another event follows. */
export function isEnd({ type }: RecordedEvent): boolean {
  return type === 'finish' || type === 'error';
}

/**
 * An event for the log. Tokens are not kept: those who may read the event get new ones. The text of
 * a result is kept once.
 */
export function encodeEvent(event: RecordedEvent): string {
  switch (event.type) {
    case 'finish': {
      const { approvalTokens: _tokens, ...kept } = event;
      return toSafeJson(kept);
    }
    case 'tool-result':
    case 'tool-error': {
      const { result: _result, ...kept } = event;
      return toSafeJson(kept);
    }
    default:
      return toSafeJson(event);
  }
}

export function decodeEvent(data: string): RecordedEvent {
  const event = JSON.parse(data) as RecordedEvent;
  if (event.type !== 'tool-result' && event.type !== 'tool-error') return event;
  return { ...event, result: event.response.responseData };
}
