import type { ChatClientRequest } from '@nestor-ai/core';
import type { ExpectedUsage } from './expected-usage.js';
import type { Budget, UsageLedger } from './usage-ledger.js';

/** The budget of one turn. */
export interface TurnBudget extends Budget {
  /** The longest duration of the turn, in milliseconds. */
  readonly time?: number;
}

/** The budget of a conversation or a user, over many turns. */
export interface LastingBudget extends Budget {
  /** How long after the first spending the budget starts again, in milliseconds. Default: never. */
  readonly window?: number;
}

/** The price of a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** The price of input that was read from the prompt cache. Default: `input`. */
  readonly cacheRead?: number;
  /** The price of input that was written to the prompt cache. Default: `input`. */
  readonly cacheWrite?: number;
}

/** The options of `UsageBudgetAdvisor`. */
export interface UsageBudgetAdvisorOptions {
  /** The budget of each turn: `tokens`, `cost` and `time`. */
  turn?: TurnBudget;
  /** The budget of each conversation, by the context key `ChatMemory.CONVERSATION_ID`. */
  conversation?: LastingBudget;
  /** The budget of each user, by `userOf`. Requests without a known user share one budget. */
  user?: LastingBudget;
  /**
   * The user of a request; undefined if unknown. Default: the context key `user_id`, otherwise the
   * subject from `TurnPrincipal`.
   */
  userOf?: (request: ChatClientRequest) => string | undefined;
  /**
   * Prices by the name of the model or the beginning of it, such as `gpt-4o`. `*` applies to all
   * others. A cost limit requires `*`, because a model without a price would be free.
   */
  prices?: Readonly<Record<string, ModelPrice>>;
  /**
   * Estimates the usage of a round. The conversation and the user are charged with it while the
   * round runs, and if the round is aborted before its usage is known. Default: one token for four
   * bytes of the prompt and its tools, four for each message, 1,000 for each image or file, plus
   * `maxTokens` of the request, or 1000, for the answer.
   */
  expectedUsage?: (request: ChatClientRequest) => ExpectedUsage;
  /** Stores the amounts. Default: in memory. */
  ledger?: UsageLedger;
  /**
   * Default: `UsageBudgetAdvisor.DEFAULT_ORDER`, inside the tool loop, so that it counts each
   * round.
   */
  order?: number;
}

/** How much a turn has spent. */
export interface TurnRecord {
  readonly turnId: string;
  readonly conversationId?: string;
  readonly user?: string;
  /** How the turn ended. `stopped`: a budget was used up. */
  readonly outcome: 'completed' | 'suspended' | 'stopped' | 'failed';
  readonly tokens: number;
  /**
   * The part of `tokens` that is estimated, for rounds that were aborted or broke off before their
   * usage was known.
   */
  readonly estimatedTokens: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cost: number;
  /** The number of model calls. */
  readonly rounds: number;
  /** The number of calls of each tool. */
  readonly tools: Readonly<Record<string, number>>;
  /** The duration of the turn in milliseconds. */
  readonly duration: number;
}

/** @throws RangeError or TypeError that names the invalid option */
export function checkBudgets({ turn, conversation, user, prices, ledger }: UsageBudgetAdvisorOptions): void {
  if (ledger && typeof (ledger as Partial<UsageLedger>).reserve !== 'function')
    throw new TypeError('The ledger has no reserve(): implement all methods of UsageLedger.');
  const budgets = { turn, conversation, user };
  for (const [name, budget] of Object.entries(budgets)) {
    for (const [key, value] of Object.entries(budget ?? {})) {
      if (typeof value === 'number' && value > 0) continue;
      throw new RangeError(`${name}.${key} must be a number greater than 0, but is ${String(value)}.`);
    }
    if (budget?.cost !== undefined && !prices?.['*']) {
      throw new TypeError(`${name}.cost needs prices: set prices['*'] for all models without a price of their own.`);
    }
  }
}
