import { ChatMemory } from '../../memory/chat-memory.js';
import type { ChatResponse } from '../../model/chat-response.js';
import { FinishReason } from '../../model/finish-reason.js';
import type { TurnControl } from '../../model/turn-control.js';
import { TurnStop } from '../../model/turn-stop.js';
import { hasUsage, totalOf, type Usage } from '../../model/usage.js';
import type { ChatClientRequest } from '../chat-client-exchange.js';
import { costOf } from './prices.js';
import type { Budget, TurnRecord, UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import type { UsageLedger } from './usage-ledger.js';

const LASTING_SCOPES = ['conversation', 'user'] as const;
type LastingScope = (typeof LASTING_SCOPES)[number];

interface Excess {
  readonly scope: 'turn' | LastingScope;
  readonly unit: 'tokens' | 'cost' | 'time';
  readonly limit: number;
}

/** Counts what one turn spends, and compares it with the budgets. */
export class TurnLedger {
  readonly #startedAt = performance.now();
  readonly #ids: Readonly<Record<LastingScope, string | undefined>>;
  #tokens = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #cost = 0;
  #rounds = 0;

  constructor(
    private readonly options: UsageBudgetAdvisorOptions,
    private readonly ledger: UsageLedger,
    request: ChatClientRequest,
    private readonly turn: TurnControl,
  ) {
    const { context } = request;
    this.#ids = {
      conversation: textOf(context[ChatMemory.CONVERSATION_ID]),
      user: options.userOf ? options.userOf(request) : textOf(context['user_id']),
    };
    const model = turn.modelBefore ?? request.prompt.options?.model;
    for (const usage of turn.usageBefore) this.#count(usage, costOf(usage, model, options.prices));
  }

  /** The end of the turn when a budget is used up, else undefined. */
  async excess(): Promise<TurnStop | undefined> {
    let found = excessOf('turn', this.options.turn, { tokens: this.#tokens, cost: this.#cost });
    for (const scope of LASTING_SCOPES) {
      const id = this.#ids[scope];
      const budget = this.options[scope];
      if (budget && id !== undefined) found ??= excessOf(scope, budget, await this.ledger.spent(keyOf(scope, id)));
    }
    return found && toStop(found);
  }

  /** The end of the turn when its time is used up. */
  get overtime(): TurnStop {
    return toStop({ scope: 'turn', unit: 'time', limit: this.options.turn!.time! });
  }

  /**
   * Counts a round.
   *
   * @param asked the model of the request, for a response that does not name its model
   */
  async add({ metadata }: ChatResponse, asked: string | undefined): Promise<void> {
    this.#rounds++;
    const { usage, model } = metadata;
    if (!hasUsage(usage)) return;
    const cost = costOf(usage, model ?? asked, this.options.prices);
    this.#count(usage, cost);
    const spending = { tokens: totalOf(usage), cost };
    for (const scope of LASTING_SCOPES) {
      const id = this.#ids[scope];
      const budget = this.options[scope];
      if (budget && id !== undefined) await this.ledger.add(keyOf(scope, id), spending, budget.window);
    }
  }

  record(outcome: TurnRecord['outcome']): TurnRecord {
    const { conversation, user } = this.#ids;
    return {
      turnId: this.turn.id,
      ...(conversation !== undefined && { conversationId: conversation }),
      ...(user !== undefined && { user }),
      outcome,
      tokens: this.#tokens,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cost: this.#cost,
      rounds: this.#rounds,
      tools: Object.fromEntries(this.turn.toolCallCounts?.byName ?? []),
      duration: performance.now() - this.#startedAt,
    };
  }

  #count(usage: Usage, cost: number): void {
    this.#tokens += totalOf(usage);
    this.#promptTokens += usage.promptTokens;
    this.#completionTokens += usage.completionTokens;
    this.#cost += cost;
  }
}

function excessOf(
  scope: Excess['scope'],
  budget: Budget | undefined,
  spent: { tokens: number; cost: number },
): Excess | undefined {
  for (const unit of ['tokens', 'cost'] as const) {
    const limit = budget?.[unit];
    if (limit !== undefined && spent[unit] >= limit) return { scope, unit, limit };
  }
  return undefined;
}

function toStop({ scope, unit, limit }: Excess): TurnStop {
  const amount = unit === 'time' ? `${limit} ms` : unit === 'tokens' ? `${limit} tokens` : String(limit);
  const what = unit === 'cost' ? `budget of ${amount}` : `${unit === 'time' ? 'time' : 'budget'} of ${amount}`;
  const text = `The answer ends here: the ${what} for this ${scope} is used up.`;
  return new TurnStop(text, FinishReason.BUDGET_EXCEEDED, { budget: { scope, unit, limit } });
}

function keyOf(scope: string, id: string): string {
  return `${scope}:${id}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
