import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorTypeOf, type TurnEntry } from '@nestor-ai/core';
import { settledWithin } from '@nestor-ai/core/internal';
import type { TurnEventLog } from './turn-event-log.js';
import { EventBuffer } from './event-buffer.js';
import { lostEvents } from './lost-events.js';
import { decodeEvent, encodeEvent, type NumberedRecordedEvent, type RecordedEvent } from './recorded-event.js';
import { lastKeptRound, withoutRepeated } from './repeated-rounds.js';

/** How long text is collected before it goes to the log, in milliseconds. */
const INTERVAL = 20;

/** The pauses before a failed append is repeated, in milliseconds. */
const PAUSES = [50, 200, 1000, 1000, 1000, 2000, 5000, 5000];

/** The most characters that wait for the log. Above it, the turn is no longer logged. */
const MAX_CHARACTERS = 8_000_000;

/** How long a stopped or ended turn waits for the log, in milliseconds. */
const PATIENCE = 2000;

/**
 * How long an answer waits for the log before the journal records the end of its turn, in
 * milliseconds. A restart of the store is over by then. After the end, no process writes the text.
 */
const PATIENCE_BEFORE_END = 10_000;

/** Events, and the number after which they are appended. */
interface Attempt {
  readonly after: number;
  readonly events: readonly string[];
}

const logger = new Logger('TurnStreams');

/** Writes the events of one turn to the log. The turn never waits for it, and it never fails. */
export class TurnEventWriter {
  readonly #buffer = new EventBuffer();
  /** The number of the last event in the log. Undefined before the first append. */
  #last: number | undefined;
  #writing: Promise<void> | undefined;
  #isGivenUp = false;

  /**
   * @param fence see `TurnEventLog.append()`
   * @param past what the journal has of a turn that a request continues; undefined: nothing is emitted again
   */
  constructor(
    private readonly log: TurnEventLog,
    private readonly turnId: string,
    public fence: number,
    private readonly past?: readonly TurnEntry[],
  ) {}

  write(event: RecordedEvent): void {
    if (this.#isGivenUp) return;
    this.#buffer.add(event);
    if (this.#buffer.characters > MAX_CHARACTERS) return this.#giveUp('too many events wait for it');
    this.#writing ??= this.#flush().finally(() => (this.#writing = undefined));
  }

  /** Waits a while for what is not in the log yet. */
  async settle(limit = PATIENCE): Promise<void> {
    if (this.#writing) await settledWithin([this.#writing], limit);
  }

  /**
   * Drops what is not in the log yet. Needed when another request may go on with the turn: an append
   * that comes late would make the events of that request void.
   */
  close(): void {
    this.#isGivenUp = true;
    this.#buffer.take();
  }

  /** Waits for what would be lost if this process died after the end of the turn. */
  settleBeforeEnd(): Promise<void> {
    return this.settle(PATIENCE_BEFORE_END);
  }

  async #flush(): Promise<void> {
    while (!this.#buffer.isEmpty) {
      await pause(INTERVAL);
      await this.#append(this.#buffer.take());
    }
  }

  async #append(events: readonly string[]): Promise<void> {
    let attempt: Attempt | undefined;
    let refusedAfter: number | undefined;
    for (let failures = 0; !this.#isGivenUp;) {
      const isNew = attempt === undefined;
      try {
        attempt ??= await this.#attemptOf(events);
        if (this.#isGivenUp) return;
        if (
          (await this.log.append(this.turnId, attempt.after, attempt.events, this.fence)) ||
          (!isNew && (await this.#isStored(attempt)))
        ) {
          this.#last = attempt.after + attempt.events.length;
          return;
        }
        // Another process runs the turn: it has written, or it has claimed the turn later.
        if (this.#last !== undefined || refusedAfter === attempt.after) return this.close();
        // The process that had the turn before has still written. Its next append is refused.
        refusedAfter = attempt.after;
        attempt = undefined;
      } catch (error) {
        const delay = PAUSES[failures++];
        if (delay === undefined) return this.#giveUp(errorTypeOf(error));
        await pause(delay, undefined, { ref: false });
      }
    }
  }

  async #attemptOf(events: readonly string[]): Promise<Attempt> {
    if (this.#last !== undefined) return { after: this.#last, events };
    const { last, valid } = await this.#readLog();
    const { past } = this;
    if (!past) return { after: last, events };
    const { kept, restart } = withoutRepeated(valid, lastKeptRound(past));
    // If the log has deleted a turn that waited for a decision, its readers have seen the events.
    const isDeleted = last === 0 && past.some(({ kind }) => kind === 'suspended');
    const added = [...(restart ? [restart] : []), ...(isDeleted ? [] : lostEvents(past, kept))];
    return { after: last, events: [...added.map(encodeEvent), ...events] };
  }

  /** Whether an append has stored its events although it failed. */
  async #isStored({ after, events }: Attempt): Promise<boolean> {
    const stored = (await this.log.read(this.turnId, after)) ?? [];
    return events.every((data, index) => stored[index]?.data === data && stored[index]?.number === after + index + 1);
  }

  /** The number of the last event, and the events that are not void. */
  async #readLog(): Promise<{ readonly last: number; readonly valid: readonly NumberedRecordedEvent[] }> {
    let valid: NumberedRecordedEvent[] = [];
    let last = 0;
    for (;;) {
      const events = (await this.log.read(this.turnId, last)) ?? [];
      if (events.length === 0 || events[0]!.number <= last) return { last, valid };
      for (const { number, data } of events) {
        const event = decodeEvent(data);
        if (event.type === 'restart') valid = valid.filter((other) => other.number <= event.after);
        else valid.push({ number, event });
      }
      last = events.at(-1)!.number;
    }
  }

  #giveUp(reason: string): void {
    logger.warn(
      `The rest of the turn '${this.turnId}' is not in the TurnEventLog (${reason}). The turn goes on. Check the store of ` +
        'the log.',
    );
    this.close();
  }
}
