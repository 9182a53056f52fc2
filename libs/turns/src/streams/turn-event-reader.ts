import { EventEmitter } from 'node:events';
import type { TurnEventLog } from './turn-event-log.js';
import { decodeEvent, encodeEvent, isEnd, type NumberedRecordedEvent } from './recorded-event.js';
import type { TurnEnds } from './turn-ends.js';

/** How long to wait for a hint before reading without one, in milliseconds: first, and at most. */
const [FIRST_WAIT, LONGEST_WAIT] = [100, 5000];

/** After how long a wait to look whether the turn is over, in milliseconds. */
const SILENCE = 1000;

/** How long the last events of a turn may take to reach the log, in milliseconds. */
const GRACE = 10_000;

/** How often in a row reading may fail. */
const MAX_FAILURES = 5;

/** Reads the events of one turn: first those in the log, then the new ones as they come. */
export class TurnEventReader {
  #isAtEnd = false;
  #hasSeen = false;
  /** Whether the last event ends the turn, unless another one follows. */
  #isLastAnEnd = false;
  #failures = 0;
  /** What was read to find the place to begin at. */
  #first: readonly NumberedRecordedEvent[] = [];

  private constructor(
    private readonly log: TurnEventLog,
    private readonly turnId: string,
    private readonly ends: Pick<TurnEnds, 'find' | 'signed'>,
    private after: number,
  ) {}

  /**
   * @param after the number of the last event that the reader has
   * @param ends finds how the turn has ended, and signs what it asks for
   */
  static async open(
    log: TurnEventLog,
    turnId: string,
    after: number,
    ends: Pick<TurnEnds, 'find' | 'signed'>,
  ): Promise<TurnEventReader> {
    const reader = new TurnEventReader(log, turnId, ends, Math.max(0, after - 1));
    await reader.#begin(after);
    return reader;
  }

  /** Whether the reader has all events, and no more are to come. */
  get hasEnded(): boolean {
    return this.#isAtEnd && this.#first.length === 0;
  }

  /**
   * The events in batches, at most one batch ahead of the caller. Ends after the end of the turn,
   * when the turn waits for a decision, when the log deletes it, and when the signal aborts.
   *
   * @throws what the log throws, after some attempts
   */
  async *batches(signal: AbortSignal): AsyncGenerator<readonly NumberedRecordedEvent[]> {
    const hints = new EventEmitter();
    let isHinted = true;
    let wait = FIRST_WAIT;
    let hasCaughtUp = false;
    const subscription = this.log.changes(this.turnId).subscribe(() => {
      isHinted = true;
      hints.emit('hint');
    });
    try {
      if (this.#first.length > 0) yield this.#first;
      this.#first = [];
      while (!signal.aborted && !this.#isAtEnd) {
        if (!isHinted) await hintWithin(wait, hints, signal);
        wait = isHinted ? FIRST_WAIT : Math.min(LONGEST_WAIT, wait * 2);
        const isSilent = wait >= SILENCE;
        isHinted = false;
        const events = await this.#readOn(isSilent);
        if (signal.aborted) return;
        if (events.length > 0) yield events;
        // At the beginning, there may be more than one answer of the log has.
        hasCaughtUp ||= events.length === 0;
        isHinted ||= !hasCaughtUp;
      }
    } finally {
      subscription.unsubscribe();
    }
  }

  /** Reads from the last event that the caller has: it may be the end. */
  async #begin(after: number): Promise<void> {
    let events = await this.#read();
    if (after > 0 && events?.[0]?.number !== after) {
      // The number belongs to events that were deleted.
      this.after = 0;
      events = await this.#read();
      this.#first = events ?? [];
    } else this.#first = events?.slice(after > 0 ? 1 : 0) ?? [];
    await this.#note(events);
    if (!events) await this.#endAbandoned();
  }

  async #readOn(isSilent: boolean): Promise<readonly NumberedRecordedEvent[]> {
    try {
      const events = await this.#read();
      if (events?.length) await this.#note(events);
      else if (!events && this.#hasSeen) this.#isAtEnd = true;
      else if (this.#isLastAnEnd) await this.#checkEnd();
      else if (isSilent) await this.#endAbandoned();
      this.#failures = 0;
      return events ?? [];
    } catch (error) {
      if (++this.#failures >= MAX_FAILURES) throw error;
      return [];
    }
  }

  /**
   * Ends the log of a turn that is over, but whose process died before it could log the end. All
   * other events were logged before the journal recorded the end.
   */
  async #endAbandoned(): Promise<void> {
    const end = await this.ends.find(this.turnId);
    if (!end || end.age < GRACE) return;
    // Of several readers, only one adds the event. All of them read it.
    if (this.#hasSeen && end.toEvent)
      await this.log.append(this.turnId, this.after, [encodeEvent(end.toEvent())], end.fence);
    else this.#isAtEnd = true;
  }

  async #read(): Promise<readonly NumberedRecordedEvent[] | undefined> {
    const read = await this.log.read(this.turnId, this.after);
    if (!read) return undefined;
    const events: NumberedRecordedEvent[] = [];
    for (const { number, data } of read) {
      const event = decodeEvent(data);
      events.push({ number, event: isEnd(event) ? await this.ends.signed(this.turnId, event) : event });
    }
    return events;
  }

  async #note(events: readonly NumberedRecordedEvent[] | undefined): Promise<void> {
    const last = events?.at(-1);
    if (!last) return;
    this.#hasSeen = true;
    this.after = last.number;
    this.#isLastAnEnd = isEnd(last.event);
    if (this.#isLastAnEnd) await this.#checkEnd();
  }

  /** After an end, events follow if calls were decided. */
  async #checkEnd(): Promise<void> {
    const isOver = (await this.ends.find(this.turnId)) !== undefined;
    this.#isAtEnd = isOver && ((await this.log.read(this.turnId, this.after)) ?? []).length === 0;
  }
}

/** Waits for a hint, but not for longer than a time. */
async function hintWithin(time: number, hints: EventEmitter, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(wake, time);
    hints.once('hint', wake);
    signal.addEventListener('abort', wake, { once: true });
    function wake(): void {
      clearTimeout(timer);
      hints.off('hint', wake);
      signal.removeEventListener('abort', wake);
      resolve();
    }
  });
}
