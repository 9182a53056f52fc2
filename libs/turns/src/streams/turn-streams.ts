import { type MessageEvent, Logger } from '@nestjs/common';
import { catchError, defer, lastValueFrom, map, NEVER, takeUntil, tap, Observable } from 'rxjs';
import { type ChatClientEvent, errorTypeOf, type ToolApproval, ToolApprovalException } from '@nestor-ai/core';
import {
  OF_AI_MODULE,
  type EventsOptions,
  type HeartbeatOptions,
  tellOfFailure,
  toComment,
  toPublic,
  withHeartbeat,
} from '@nestor-ai/core/internal';
import type { TurnEventLog } from './turn-event-log.js';
import type { JournaledTurn } from '../journal/journaled-turn.js';
import type { TurnJournal } from '../journal/turn-journal.js';
import { decodeEvent, type NumberedRecordedEvent, type RecordedEvent } from './recorded-event.js';
import { type ApprovalView, TurnEnds } from './turn-ends.js';
import { TurnEventReader } from './turn-event-reader.js';
import { TurnEventWriter } from './turn-event-writer.js';
import type { TurnStreamFormat } from './turn-stream-format.js';
import { TurnStops } from './turn-stops.js';

/** A request whose turn {@link TurnStreams.record} runs. `chatClient.prompt(…)` is one. */
export interface RecordedRequest {
  stream(): { events(options: EventsOptions): Observable<ChatClientEvent> };
}

/** The options of {@link TurnStreams.record}. */
export interface RecordOptions {
  /**
   * Whether an error ends the turn. If so, readers get an `error` event. Return false if the turn is
   * tried again: readers wait for it. Default: true for each error.
   */
  readonly isFinal?: (error: unknown) => boolean;
}

/** The options of {@link TurnStreams.messages}. */
export interface TurnMessageOptions extends HeartbeatOptions {
  /**
   * The decisions with which the page has continued the turn. The stream begins after the turn first
   * asked for them. Results beside them may come again. Default: none, it begins with the first event.
   */
  readonly approvals?: readonly Pick<ToolApproval, 'toolCallId'>[];
}

/** The options of {@link TurnStreams.events}. */
export interface TurnEventsOptions {
  /** The number of the last event that the reader has. Default: 0, all events follow. */
  readonly after?: number;
}

const logger = new Logger('TurnStreams');

/**
 * Runs turns independently of who reads them, and lets any process read them. Needs a
 * `TurnEventLog` and a `TurnJournal` in `AiModule`.
 *
 * It does not check who may read or stop a turn. `AiTurnsModule` does.
 */
export class TurnStreams {
  /** @internal */
  static readonly [OF_AI_MODULE] = 'service';

  constructor(
    /** @internal */
    readonly log: TurnEventLog | undefined,
    /** @internal */
    readonly journal: TurnJournal | undefined,
    private readonly view: ApprovalView = { tokens: undefined, redactor: undefined },
  ) {}

  /** Whether the application has a log and a journal. */
  get isEnabled(): boolean {
    return this.log !== undefined && this.journal !== undefined;
  }

  /**
   * Runs a turn and logs its events, as a browser may see them. Readers that are slow or leave do
   * not affect it, nor does a log that fails.
   *
   * @param turn the turn from `TurnRunner.prepare()`
   * @param request the request from `TurnRunner.prepare()`
   * @returns when the turn has ended, waits, or was stopped
   * @throws the error of the turn
   */
  async record(
    turn: JournaledTurn,
    request: RecordedRequest,
    { isFinal = () => true }: RecordOptions = {},
  ): Promise<void> {
    const { log, journal } = this.#required();
    const { id } = turn;
    // Until it holds the turn, it is behind all that have.
    const writer = new TurnEventWriter(log, id, turn.entries.length, turn.entries);
    const onHold = (fence: number): void => void (writer.fence = fence);
    const events = defer(() => request.stream().events({ beforeEnd: () => writer.settleBeforeEnd(), onHold }));
    let isStopped = false;
    let isOver = false;
    const stop = defer(() => log.stops(id)).pipe(
      tap(() => (isStopped = true)),
      catchError(() => NEVER),
    );
    try {
      const seen = events.pipe(
        takeUntil(stop),
        tap((event) => {
          isOver = event.type === 'finish' && !event.pendingApprovals;
          write(writer, event);
        }),
      );
      await lastValueFrom(seen, { defaultValue: undefined });
      if (isStopped) {
        const stops = new TurnStops(log, journal);
        await stops.end(id);
        stops.report(writer);
        isOver = true;
      }
    } catch (error) {
      // Another request has or had the turn.
      if (error instanceof ToolApprovalException && ['conflict', 'not-found'].includes(error.problem)) {
        writer.close();
        throw error;
      }
      const question = await this.#questionOf(id, error);
      isOver = question !== undefined || isFinal(error);
      if (question) writer.write(question);
      else if (isOver) writer.write({ type: 'error', message: tellOfFailure(error) });
      throw error;
    } finally {
      await writer.settle();
      if (!isOver) writer.close();
    }
  }

  /**
   * The events of a turn: those that it already has, then the new ones as they come, from any
   * process. Completes after the end of the turn, when it waits for a decision, and when the log
   * deletes it.
   */
  events(turnId: string, { after = 0 }: TurnEventsOptions = {}): Observable<NumberedRecordedEvent> {
    const read = this.read.bind(this);
    return fromGenerator(async function* (signal) {
      const reader = await read(turnId, after);
      for await (const batch of reader.batches(signal)) yield* batch;
    });
  }

  /**
   * The turn in the format of a front end, for a method with `@Sse()`.
   *
   * @param format such as `UI_MESSAGE_FORMAT` of `@nestor-ai/ui`
   * @throws RangeError if `heartbeat` is not a positive number of milliseconds
   * @example
   * \@Sse('chat', { method: RequestMethod.POST })
   * async chat(@Body() { messages }: UIChatRequest, @Req() request: Request) {
   *   const prompt = withUIMessages(this.chatClient.prompt(), messages).request(request);
   *   const { approvals } = fromUIMessages(messages);
   *   return this.turnStreams.messages(await prompt.enqueue(), UI_MESSAGE_FORMAT, { approvals });
   * }
   */
  messages(
    turnId: string,
    format: TurnStreamFormat,
    { approvals = [], ...options }: TurnMessageOptions = {},
  ): Observable<MessageEvent> {
    const open = async (): Promise<TurnEventReader> => this.read(turnId, await this.#numberBefore(turnId, approvals));
    const texts = fromGenerator(async function* (signal) {
      yield* format.texts(await open(), turnId, signal);
    });
    return withHeartbeat(texts.pipe(map((data): MessageEvent => ({ data }))), options, toComment);
  }

  /**
   * Stops a turn, in whichever process it runs. The model call and the running tools are aborted,
   * and the turn cannot be resumed. A turn that has ended stays as it is.
   *
   * @throws ToolApprovalException if the turn waits for a decision about calls that may have run
   */
  async stop(turnId: string): Promise<void> {
    const { log, journal } = this.#required();
    await new TurnStops(log, journal).stop(turnId);
  }

  /** Opens a reader that is not ahead of its caller. */
  async read(turnId: string, after: number): Promise<TurnEventReader> {
    const { log, journal } = this.#required();
    return TurnEventReader.open(log, turnId, after, new TurnEnds(journal, this.view));
  }

  /**
   * What a turn asks that waits for a decision about calls that may have run. Without it, such as if
   * the journal cannot be reached, readers find that in the journal.
   */
  async #questionOf(turnId: string, error: unknown): Promise<RecordedEvent | undefined> {
    if (!(error instanceof ToolApprovalException) || error.problem !== 'uncertain') return undefined;
    const end = await new TurnEnds(this.#required().journal, this.view).find(turnId).catch(() => undefined);
    return end?.toEvent?.();
  }

  /** The number of the event that first asks for these decisions. The turn may have asked again since. 0: none. */
  async #numberBefore(turnId: string, approvals: readonly Pick<ToolApproval, 'toolCallId'>[]): Promise<number> {
    const { log } = this.#required();
    for (let after = 0; approvals.length > 0;) {
      const events = (await log.read(turnId, after)) ?? [];
      if (events.length === 0 || events[0]!.number <= after) break;
      const asked = events.find(({ data }) => asksFor(decodeEvent(data), approvals));
      if (asked) return asked.number;
      after = events.at(-1)!.number;
    }
    return 0;
  }

  #required(): { readonly log: TurnEventLog; readonly journal: TurnJournal } {
    const { log, journal } = this;
    if (log && journal) return { log, journal };
    throw new Error(`TurnStreams ${lacksOf(this)}`);
  }
}

/** What the application lacks, and what to do. Undefined if it has all. */
export function lacksOf(streams: TurnStreams | undefined): string | undefined {
  if (!streams) return 'needs its providers. Give PostgresAiModule.stores() or AiTurnsModule.providers() to AiModule.';
  const { log, journal } = streams;
  if (log && journal) return undefined;
  return (
    `needs a ${journal ? 'TurnEventLog' : 'TurnJournal'}. Import PostgresAiModule and write ` +
    'AiModule.forRoot({ providers: PostgresAiModule.stores() }), or provide your own beside AiTurnsModule.providers().'
  );
}

function asksFor(event: RecordedEvent, approvals: readonly Pick<ToolApproval, 'toolCallId'>[]): boolean {
  if (event.type !== 'finish') return false;
  return !!event.pendingApprovals?.some(({ id }) => approvals.some(({ toolCallId }) => toolCallId === id));
}

function write(writer: TurnEventWriter, event: ChatClientEvent): void {
  try {
    const shown = toPublic(event);
    if (shown) writer.write(shown);
  } catch (error) {
    logger.warn(`An event of the type '${event.type}' was not logged: ${errorTypeOf(error)}`);
  }
}

/** An Observable of what a generator yields. Unsubscribing aborts the signal of the generator. */
function fromGenerator<T>(generate: (signal: AbortSignal) => AsyncIterable<T>): Observable<T> {
  return new Observable((subscriber) => {
    const leaving = new AbortController();
    const run = async (): Promise<void> => {
      for await (const item of generate(leaving.signal)) {
        if (subscriber.closed) return;
        subscriber.next(item);
      }
    };
    run().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => leaving.abort();
  });
}
