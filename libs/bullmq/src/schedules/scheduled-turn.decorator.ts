import { SetMetadata } from '@nestjs/common';
import type { ChatClientRequestSpec } from '@nestor-ai/core';

/** The key of the metadata of a method. */
export const SCHEDULED_TURN = 'nestor:scheduled-turn';

/** When a scheduled turn runs. Set either `pattern` or `every`. */
export interface ScheduledTurnOptions {
  /** A cron pattern of five or six fields, such as `0 7 * * 1-5`. */
  readonly pattern?: string;
  /** The time zone of the pattern, such as `Europe/Berlin`. Default: that of the worker. */
  readonly tz?: string;
  /** The interval in milliseconds. The first turn runs at once. */
  readonly every?: number;
  /**
   * The name of the schedule, without colons. Keep it when you rename the method. Default:
   * `ClassName.methodName`.
   */
  readonly name?: string;
}

/** What the method of a scheduled turn receives. */
export interface ScheduledTurnTick {
  readonly name: string;
  /** When the turn was due, which may be before now. */
  readonly dueAt: Date;
}

type ScheduledMethod = (
  tick: ScheduledTurnTick,
) => ChatClientRequestSpec | undefined | Promise<ChatClientRequestSpec | undefined>;

/**
 * Runs turns on a schedule, once for all replicas: the method returns a request, which `BullAiModule`
 * queues as with `enqueue()`. A method that returns undefined leaves the turn out.
 *
 * @example
 * \@ScheduledTurn({ pattern: '0 7 * * 1-5', tz: 'Europe/Berlin' })
 * morning() {
 *   return this.chatClient.prompt('Summarize what happened last night.');
 * }
 */
export function ScheduledTurn(options: ScheduledTurnOptions) {
  return <Method extends ScheduledMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    SetMetadata(SCHEDULED_TURN, options)(target, key, descriptor);
  };
}
