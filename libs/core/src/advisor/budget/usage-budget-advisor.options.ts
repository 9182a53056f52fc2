import type { ChatClientRequest } from '../chat-client-exchange.js';
import type { UsageLedger } from './usage-ledger.js';

/** What may be spent. What is left out is not limited. */
export interface Budget {
  readonly tokens?: number;
  /** In the currency of the prices. */
  readonly cost?: number;
}

/** What one turn may take. */
export interface TurnBudget extends Budget {
  /** In milliseconds. */
  readonly time?: number;
}

/** What may be spent over many turns. */
export interface LastingBudget extends Budget {
  /** How long after the first spending it begins anew, in milliseconds. Default: never. */
  readonly window?: number;
}

/** What a million tokens cost. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of the input, what came from the prompt cache. Default: as `input`. */
  readonly cacheRead?: number;
  /** Of the input, what was written to the prompt cache. Default: as `input`. */
  readonly cacheWrite?: number;
}

/** The options of `UsageBudgetAdvisor`. */
export interface UsageBudgetAdvisorOptions {
  turn?: TurnBudget;
  /** For each conversation, by the context key `ChatMemory.CONVERSATION_ID`. */
  conversation?: LastingBudget;
  /** For each user, by `userOf`. */
  user?: LastingBudget;
  /** Who asks; undefined: nobody's budget is touched. Default: the context key `user_id`. */
  userOf?: (request: ChatClientRequest) => string | undefined;
  /**
   * By the model's name or its beginning, such as `gpt-4o`; `*` for every other. With a limit of cost, `*` has to be there, since a
   * model without a price would be free.
   */
  prices?: Readonly<Record<string, ModelPrice>>;
  /** Default: in memory. */
  ledger?: UsageLedger;
  /** Inside the tool loop, so that each round is counted. Default: `ToolCallingAdvisor.DEFAULT_ORDER + 50`. */
  order?: number;
}

/** What a turn has taken, told when it ends. */
export interface TurnRecord {
  readonly turnId: string;
  readonly conversationId?: string;
  readonly user?: string;
  /** `stopped`: a budget was used up. */
  readonly outcome: 'completed' | 'suspended' | 'stopped' | 'failed';
  readonly tokens: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cost: number;
  /** Model calls. */
  readonly rounds: number;
  /** How often each tool was called. */
  readonly tools: Readonly<Record<string, number>>;
  /** In milliseconds. */
  readonly duration: number;
}

/** @throws RangeError or TypeError saying which budget cannot be kept */
export function checkBudgets({ turn, conversation, user, prices }: UsageBudgetAdvisorOptions): void {
  const budgets = { turn, conversation, user };
  for (const [name, budget] of Object.entries(budgets)) {
    for (const [key, value] of Object.entries(budget ?? {})) {
      if (typeof value === 'number' && value > 0) continue;
      throw new RangeError(`${name}.${key} must be a number greater than 0, but is ${String(value)}.`);
    }
    if (budget?.cost !== undefined && !prices?.['*']) {
      throw new TypeError(`${name}.cost needs prices, with '*' for models that they do not name.`);
    }
  }
}
