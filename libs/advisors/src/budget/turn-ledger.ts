import {
  type ChatClientRequest,
  ChatMemory,
  type ChatResponse,
  FinishReason,
  TurnStop,
  type Usage,
} from '@nestor-ai/core';
import { scopeOf, totalOf, type TurnControl } from '@nestor-ai/core/internal';
import { costOf, counted } from './prices.js';
import { type RoundEnd, RoundSpending } from './round-spending.js';
import type { LastingBudget, TurnRecord, UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import { exceededUnit, NOTHING_SPENT, type UsageLedger } from './usage-ledger.js';

const LASTING_SCOPES = ['conversation', 'user'] as const;
type LastingScope = (typeof LASTING_SCOPES)[number];

interface Excess {
  readonly scope: 'turn' | LastingScope;
  readonly unit: 'tokens' | 'cost' | 'time';
  readonly limit: number;
}

/** Counts how much one turn spends and compares it with the budgets. */
export class TurnLedger {
  readonly #startedAt = performance.now();
  readonly #ids: Readonly<Record<LastingScope, string | undefined>>;
  #tokens = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #cost = 0;
  #rounds = 0;
  #estimatedTokens = 0;

  constructor(
    private readonly options: UsageBudgetAdvisorOptions,
    private readonly ledger: UsageLedger,
    request: ChatClientRequest,
    private readonly turn: TurnControl,
  ) {
    const { context } = request;
    this.#ids = {
      conversation: textOf(context[ChatMemory.CONVERSATION_ID]),
      user: options.userOf ? options.userOf(request) : (textOf(context['user_id']) ?? subjectOf(request, turn)),
    };
    const model = turn.modelBefore ?? request.prompt.options?.model;
    for (const usage of turn.usageBefore) this.#count(usage, costOf(usage, model, options.prices));
  }

  /** The reason to stop the turn if a budget is used up, else undefined. */
  async excess(): Promise<TurnStop | undefined> {
    const ofTurn = this.#excessOfTurn;
    if (ofTurn) return ofTurn;
    for (const { scope, key, budget } of this.#lasting) {
      const unit = exceededUnit(budget, await this.ledger.spent(key));
      if (unit) return toStop({ scope, unit, limit: budget[unit]! });
    }
    return undefined;
  }

  /**
   * Reserves the expected usage of a round.
   *
   * @returns a `TurnStop` if a budget is used up
   */
  async reserve(request: ChatClientRequest): Promise<RoundSpending | TurnStop> {
    const ofTurn = this.#excessOfTurn;
    if (ofTurn) return ofTurn;
    const round = new RoundSpending(request, this.options);
    try {
      const usedUp = await this.#reserveIn(round);
      if (!usedUp) return round;
      await round.settle(NOTHING_SPENT);
      return usedUp;
    } catch (error) {
      await round.settle(NOTHING_SPENT);
      throw error;
    }
  }

  async #reserveIn(round: RoundSpending): Promise<TurnStop | undefined> {
    for (const { scope, key, budget } of this.#lasting) {
      const settle = await this.ledger.reserve(key, round.expectedSpending, budget, budget.window);
      if (!settle) {
        // The spending that used it up may have been settled since.
        const least = budget.tokens === undefined ? 'cost' : 'tokens';
        const unit = exceededUnit(budget, await this.ledger.spent(key)) ?? least;
        return toStop({ scope, unit, limit: budget[unit]! });
      }
      round.settles.push(settle);
    }
    return undefined;
  }

  /** The end of the turn when its time is used up. */
  get overtime(): TurnStop {
    return toStop({ scope: 'turn', unit: 'time', limit: this.options.turn!.time! });
  }

  /** Counts a round, and puts what it has taken in the place of what was reserved for it. */
  async settle(round: RoundSpending, end: RoundEnd, received: ChatResponse | undefined): Promise<void> {
    const { usage, isEstimated } = round.usageOf(end, received);
    if (received || isEstimated) this.#rounds++;
    const cost = usage ? costOf(usage, received?.metadata.model ?? round.model, this.options.prices) : 0;
    const tokens = usage ? totalOf(usage) : 0;
    if (usage) this.#count(usage, cost);
    if (isEstimated) this.#estimatedTokens += tokens;
    await round.settle({ tokens, cost });
  }

  record(outcome: TurnRecord['outcome']): TurnRecord {
    const { conversation, user } = this.#ids;
    return {
      turnId: this.turn.id,
      ...(conversation !== undefined && { conversationId: conversation }),
      ...(user !== undefined && { user }),
      outcome,
      tokens: this.#tokens,
      estimatedTokens: this.#estimatedTokens,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cost: this.#cost,
      rounds: this.#rounds,
      tools: Object.fromEntries(this.turn.toolCallCounts?.byName ?? []),
      duration: performance.now() - this.#startedAt,
    };
  }

  get #excessOfTurn(): TurnStop | undefined {
    const { turn } = this.options;
    const unit = turn && exceededUnit(turn, { tokens: this.#tokens, cost: this.#cost });
    return unit && toStop({ scope: 'turn', unit, limit: turn[unit]! });
  }

  /** The budgets of the conversation and the user. */
  get #lasting(): { scope: LastingScope; key: string; budget: LastingBudget }[] {
    return LASTING_SCOPES.flatMap((scope) => {
      const id = this.#ids[scope];
      const budget = this.options[scope];
      if (!budget) return [];
      if (id !== undefined) return [{ scope, key: `${scope}:${id}`, budget }];
      // Requests without a user share one budget, so that none is unlimited.
      return scope === 'user' ? [{ scope, key: scope, budget }] : [];
    });
  }

  #count(usage: Usage, cost: number): void {
    this.#tokens += totalOf(usage);
    this.#promptTokens += counted(usage.promptTokens);
    this.#completionTokens += counted(usage.completionTokens);
    this.#cost += cost;
  }
}

/**
 * The subject of the request; for a resumed turn, the subject that started it. Undefined without a
 * tool loop.
 */
function subjectOf({ prompt }: ChatClientRequest, turn: TurnControl): string | undefined {
  return turn.requester ?? scopeOf(prompt.options)?.caller;
}

function toStop({ scope, unit, limit }: Excess): TurnStop {
  const amount = unit === 'time' ? `${limit} ms` : unit === 'tokens' ? `${limit} tokens` : String(limit);
  const what = unit === 'cost' ? `budget of ${amount}` : `${unit === 'time' ? 'time' : 'budget'} of ${amount}`;
  const text = `The answer ends here: the ${what} for this ${scope} is used up.`;
  return new TurnStop(text, FinishReason.BUDGET_EXCEEDED, { budget: { scope, unit, limit } });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
