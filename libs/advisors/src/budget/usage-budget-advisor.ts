import { type Observable, Subject } from 'rxjs';
import {
  checkAdvisorOrder,
  MAX_TIMEOUT,
  requireOptions,
  scopeOf,
  toAnswer,
  TurnControl,
} from '@nestor-ai/core/internal';
import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  type NextHandler,
  TurnStop,
  Ordered,
} from '@nestor-ai/core';
import type { RoundEnd } from './round-spending.js';
import { TurnLedger } from './turn-ledger.js';
import { checkBudgets, type TurnRecord, type UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import { InMemoryUsageLedger, type UsageLedger } from './usage-ledger.js';

/**
 * Limits how much turns, conversations and users spend. A turn that reaches a limit ends with the
 * answer so far: its finish reason is `budgetExceeded`, and `budget` in its metadata names the
 * limit. The provider reports the usage, so a round that has begun is still paid for, and an
 * answer without a report counts as free.
 *
 * While a round runs, its expected usage counts as spent, so that concurrent requests cannot
 * exceed the budget together. A round that is aborted before its usage is known counts with the
 * expected usage.
 */
export class UsageBudgetAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = Ordered.HIGHEST_PRECEDENCE + 350;

  readonly name = 'Usage Budget Advisor';
  override readonly order: number;
  readonly #options: UsageBudgetAdvisorOptions;
  readonly #ledger: UsageLedger;
  readonly #records = new Subject<TurnRecord>();

  /** @throws RangeError or TypeError that names the invalid option */
  constructor(options: UsageBudgetAdvisorOptions) {
    super();
    checkBudgets(requireOptions(UsageBudgetAdvisor, options, '{ turn: { tokens: 10_000 } }'));
    this.#options = options;
    this.#ledger = options.ledger ?? new InMemoryUsageLedger();
    this.order = checkAdvisorOrder(options.order ?? UsageBudgetAdvisor.DEFAULT_ORDER);
  }

  /** Emits a record of each turn when the turn ends. */
  get turns(): Observable<TurnRecord> {
    return this.#records.asObservable();
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { turn, isOwn } = turnOf(request, next);
    if (!isOwn) return this.#spend(turn, request, next);
    try {
      const response = await this.#spend(turn, request, next);
      await turn.end({ status: 'completed', messages: [], rounds: 1, response: response.chatResponse });
      return response;
    } catch (error) {
      return this.#endOwn(turn, request, error);
    }
  }

  /** Starts the timer of a resumed turn and stops the turn if a budget is used up. */
  async joinTurn(request: ChatClientRequest): Promise<void> {
    const turn = scopeOf(request.prompt.options)?.turn;
    if (!turn) return;
    const stop = await this.#ledgerOf(turn, request).excess();
    if (stop) turn.stop(stop);
  }

  async #spend(turn: TurnControl, request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const ledger = this.#ledgerOf(turn, request);
    const round = await ledger.reserve(request);
    if (round instanceof TurnStop) {
      turn.stop(round);
      turn.throwIfAborted();
      throw round;
    }
    let end: RoundEnd = 'notAsked';
    try {
      turn.throwIfAborted();
      end = 'failed';
      const response = await next.handle(withSignal(request, turn), { until: turn.isAbortable ? turn : undefined });
      end = 'answered';
      return response;
    } finally {
      if (end === 'failed' && (turn.isAborted || next.signal?.aborted)) end = 'left';
      // Usage is paid for however the answer ends.
      await ledger.settle(round, end, end === 'notAsked' ? undefined : next.received);
    }
  }

  /** Ends the turn of a request without a tool loop. */
  async #endOwn(turn: TurnControl, { context }: ChatClientRequest, error: unknown): Promise<ChatClientResponse> {
    const { stopReason } = turn;
    if (!stopReason || error !== stopReason) {
      if (turn.hasEndListeners) await turn.end({ status: 'failed', error });
      throw error;
    }
    await turn.end({ status: 'completed', messages: [], rounds: 0, response: undefined });
    return { chatResponse: toAnswer(stopReason), context };
  }

  #ledgerOf(turn: TurnControl, request: ChatClientRequest): TurnLedger {
    return turn.state(this, () => this.#openLedger(turn, request));
  }

  #openLedger(turn: TurnControl, request: ChatClientRequest): TurnLedger {
    const ledger = new TurnLedger(this.#options, this.#ledger, request, turn);
    const { time } = this.#options.turn ?? {};
    const isLimited = time !== undefined && time <= MAX_TIMEOUT;
    if (isLimited) turn.isAbortable = true;
    const timer = !isLimited ? undefined : setTimeout(() => turn.stop(ledger.overtime), time);
    turn.onEnd(({ status }) => {
      clearTimeout(timer);
      this.#records.next(ledger.record(turn.stopReason ? 'stopped' : status));
    });
    return ledger;
  }
}

/** The turn of the tool loop. Without a loop: a new turn for this request. */
function turnOf({ prompt }: ChatClientRequest, next: NextHandler): { turn: TurnControl; isOwn: boolean } {
  const turn = next.isInsideLoop ? scopeOf(prompt.options)?.turn : undefined;
  return turn ? { turn, isOwn: false } : { turn: new TurnControl(prompt.options?.signal), isOwn: true };
}

/** The request with the turn's signal, so that the model call is aborted with the turn. */
function withSignal(request: ChatClientRequest, turn: TurnControl): ChatClientRequest {
  if (!turn.isAbortable) return request;
  const { prompt } = request;
  return { ...request, prompt: prompt.with({ options: { ...prompt.options, signal: turn.signal } }) };
}
