import type { ChatClientRequest, ChatResponse, Usage } from '@nestor-ai/core';
import { hasContent, hasUsage, totalOf } from '@nestor-ai/core/internal';
import { type ExpectedUsage, expectedUsageOf, tokensOf } from './expected-usage.js';
import { costOf } from './prices.js';
import type { UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import type { SettleSpending, Spending } from './usage-ledger.js';

/** How a round ended. `left`: the caller or the turn aborted it after the model was asked. */
export type RoundEnd = 'answered' | 'failed' | 'left' | 'notAsked';

/** What one round is expected to use, and what it has used. */
export class RoundSpending {
  /** Settle the reservations of the round. */
  readonly settles: SettleSpending[] = [];
  #expected: ExpectedUsage | undefined;

  constructor(
    private readonly request: ChatClientRequest,
    private readonly options: UsageBudgetAdvisorOptions,
  ) {}

  /** The model named in the request, for a response that names none. */
  get model(): string | undefined {
    return this.request.prompt.options?.model;
  }

  get expectedSpending(): Spending {
    const usage = toUsage(this.#expectedUsage);
    return { tokens: totalOf(usage), cost: costOf(usage, this.model, this.options.prices) };
  }

  /**
   * The usage of a round: as the provider reports it, or an estimate if the round was aborted or
   * failed after content had arrived. Answers without a report, such as those from a cache, count
   * as free, and so do failures before any content.
   */
  usageOf(end: RoundEnd, received: ChatResponse | undefined): { usage: Usage | undefined; isEstimated: boolean } {
    const usage = received?.metadata.usage;
    if (hasUsage(usage)) return { usage, isEstimated: false };
    if (end === 'left' || (end === 'failed' && hasContent(received))) {
      const { promptTokens, completionTokens } = this.#expectedUsage;
      const least = end === 'left' ? completionTokens : 0;
      return {
        usage: toUsage({ promptTokens, completionTokens: Math.max(least, tokensOf(received)) }),
        isEstimated: true,
      };
    }
    return { usage: undefined, isEstimated: false };
  }

  /** @throws the error of a ledger, after all others are settled */
  async settle(spent: Spending): Promise<void> {
    if (this.settles.length === 0) return;
    const settled = await Promise.allSettled(this.settles.map(async (settle) => settle(spent)));
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
  }

  get #expectedUsage(): ExpectedUsage {
    return (this.#expected ??= checked((this.options.expectedUsage ?? expectedUsageOf)(this.request)));
  }
}

function toUsage({ promptTokens, completionTokens }: ExpectedUsage): Usage {
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

/** @throws TypeError if a number of tokens is missing, negative or not finite */
function checked(usage: ExpectedUsage): ExpectedUsage {
  for (const name of ['promptTokens', 'completionTokens'] as const) {
    const tokens: unknown = (usage as ExpectedUsage | undefined)?.[name];
    if (typeof tokens === 'number' && tokens >= 0 && Number.isFinite(tokens)) continue;
    throw new TypeError(`${name} of expectedUsage must be a number of 0 or more, but is ${String(tokens)}.`);
  }
  return usage;
}
