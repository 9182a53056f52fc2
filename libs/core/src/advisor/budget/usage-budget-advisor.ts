import { from, Observable, Subject, type Subscription } from 'rxjs';
import { fluentBuilder, type FluentBuilder } from '../../model/fluent-builder.js';
import { ChatResponseAggregation } from '../../model/message-aggregator.js';
import { refuseNullOptions } from '../../model/null-checks.js';
import { TURN_CONTEXT, TurnContext } from '../../model/turn-context.js';
import { MAX_TIMEOUT } from '../../tool/check-timeout.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from '../advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../chat-client-exchange.js';
import { checkAdvisorOrder } from '../ordered.js';
import { toAnswer } from '../stopped-answer.js';
import { DEFAULT_ORDER } from '../tool-calling-advisor.options.js';
import { TurnLedger } from './turn-ledger.js';
import { checkBudgets, type TurnRecord, type UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import { InMemoryUsageLedger, type UsageLedger } from './usage-ledger.js';

/**
 * Holds turns, conversations and users to what they may spend. A turn that hits a limit ends with what it has and says so: its
 * finish reason is `budgetExceeded`, and its metadata `budget` names the limit. Usage is what the provider reports, so a round
 * that has begun is paid, and one that reports nothing is free.
 */
export class UsageBudgetAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = DEFAULT_ORDER + 50;

  readonly name = 'Usage Budget Advisor';
  readonly order: number;
  readonly #options: UsageBudgetAdvisorOptions;
  readonly #ledger: UsageLedger;
  readonly #ofTurn = new WeakMap<TurnContext, TurnLedger>();
  readonly #records = new Subject<TurnRecord>();

  /** @throws RangeError or TypeError saying which budget cannot be kept */
  constructor(options: UsageBudgetAdvisorOptions) {
    refuseNullOptions(options);
    checkBudgets(options);
    this.#options = options;
    this.#ledger = options.ledger ?? new InMemoryUsageLedger();
    this.order = checkAdvisorOrder(options.order ?? UsageBudgetAdvisor.DEFAULT_ORDER);
  }

  static builder(): FluentBuilder<UsageBudgetAdvisorOptions, UsageBudgetAdvisor> {
    return fluentBuilder((options: UsageBudgetAdvisorOptions) => new UsageBudgetAdvisor(options));
  }

  /** What each turn has taken, told when it ends. */
  get turns(): Observable<TurnRecord> {
    return this.#records.asObservable();
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const { turn, isOwn } = turnOf(request);
    try {
      const ledger = this.#ledgerOf(turn, request);
      const stop = await ledger.excess();
      if (stop) turn.stop(stop);
      turn.throwIfAborted();
      const asked = withSignal(request, turn);
      const response = await turn.untilAborted(chain.nextCall(asked));
      await ledger.add(response.chatResponse, request.prompt.options?.model);
      if (isOwn) await turn.end({ status: 'completed', messages: [], rounds: 1, response: response.chatResponse });
      return response;
    } catch (error) {
      if (!isOwn) throw error;
      return this.#endOwn(turn, request, error);
    }
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return new Observable((subscriber) => {
      const { turn, isOwn } = turnOf(request);
      let running: Subscription | undefined;
      let release: (() => void) | undefined;
      // What was used is paid, however the stream ends.
      let count: (() => Promise<void>) | undefined;
      const fail = (error: unknown): void => {
        running?.unsubscribe();
        const end = async (): Promise<ChatClientResponse> => {
          await count?.();
          if (!isOwn) throw error;
          return this.#endOwn(turn, request, error);
        };
        from(end()).subscribe(subscriber);
      };
      const run = async (): Promise<void> => {
        const ledger = this.#ledgerOf(turn, request);
        const stop = await ledger.excess();
        if (stop) turn.stop(stop);
        turn.throwIfAborted();
        if (subscriber.closed) return;
        if (turn.isAbortable) release = turn.onAbort(fail);
        const aggregation = new ChatResponseAggregation();
        let isCounted = false;
        count = async () => {
          if (isCounted) return;
          isCounted = true;
          await ledger.add(aggregation.response, request.prompt.options?.model);
        };
        const complete = async (): Promise<void> => {
          await count?.();
          if (isOwn) await turn.end({ status: 'completed', messages: [], rounds: 1, response: aggregation.response });
          subscriber.complete();
        };
        running = chain.nextStream(withSignal(request, turn)).subscribe({
          next: (chunk) => {
            if (chunk.chatResponse) aggregation.add(chunk.chatResponse);
            subscriber.next(chunk);
          },
          error: fail,
          complete: () => void complete().catch(fail),
        });
      };
      run().catch(fail);
      return () => {
        release?.();
        running?.unsubscribe();
        count?.().catch(() => undefined);
        if (isOwn && turn.hasEndListeners) turn.end({ status: 'failed', error: undefined }).catch(() => undefined);
      };
    });
  }

  /** The time of a turn that goes on counts from here. */
  async joinTurn(request: ChatClientRequest): Promise<void> {
    const turn = request.prompt.options?.[TURN_CONTEXT];
    if (!turn) return;
    const stop = await this.#ledgerOf(turn, request).excess();
    if (stop) turn.stop(stop);
  }

  /** The end of a request without a tool loop. */
  async #endOwn(turn: TurnContext, { context }: ChatClientRequest, error: unknown): Promise<ChatClientResponse> {
    const { stopReason } = turn;
    if (!stopReason || error !== stopReason) {
      if (turn.hasEndListeners) await turn.end({ status: 'failed', error });
      throw error;
    }
    await turn.end({ status: 'completed', messages: [], rounds: 0, response: undefined });
    return { chatResponse: toAnswer(stopReason), context };
  }

  #ledgerOf(turn: TurnContext, request: ChatClientRequest): TurnLedger {
    const known = this.#ofTurn.get(turn);
    if (known) return known;
    const ledger = new TurnLedger(this.#options, this.#ledger, request, turn);
    this.#ofTurn.set(turn, ledger);
    const { time } = this.#options.turn ?? {};
    const isLimited = time !== undefined && time <= MAX_TIMEOUT;
    if (isLimited) turn.guard();
    const timer = !isLimited ? undefined : setTimeout(() => turn.stop(ledger.overtime), time);
    turn.onEnd(({ status }) => {
      clearTimeout(timer);
      this.#records.next(ledger.record(turn.stopReason ? 'stopped' : status));
    });
    return ledger;
  }
}

/** The turn of the tool loop, or one that lasts as long as the request. */
function turnOf({ prompt }: ChatClientRequest): { turn: TurnContext; isOwn: boolean } {
  const turn = prompt.options?.[TURN_CONTEXT];
  return turn ? { turn, isOwn: false } : { turn: new TurnContext(prompt.options?.signal), isOwn: true };
}

/** A model that is not heard any more must not go on. */
function withSignal(request: ChatClientRequest, turn: TurnContext): ChatClientRequest {
  if (!turn.isAbortable) return request;
  const { prompt } = request;
  return { ...request, prompt: prompt.with({ options: { ...prompt.options, signal: turn.signal } }) };
}
