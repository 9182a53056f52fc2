import type { Awaitable } from '../model/awaitable.js';
import type { UntrustedAction } from '../model/tool-labels.js';
import type { ToolPolicies, ToolRetry } from '../model/tool-policies.js';
import { losesDigits, parseJson, ToolInputException } from '@nestor-ai/schema';
import { asksForInput, isA, statusOf, unwrapped } from '../tool/tool-execution.exception.js';
import type { ConcurrencyKeys } from './concurrency-keys.js';
import type { KeyHold } from './key-hold.js';
import type { PipelineCall } from './pipeline-call.js';
import { undecided } from './policy-failure.js';
import { retry } from './retry.js';
import { countCall } from './tool-rate-limit.js';
import type { ToolRateLimiter } from './tool-rate-limits.js';
import type { ToolResultCache } from './tool-result-cache.js';
import { asksAfterUntrusted } from './trust/untrusted-content-guard.js';
import { withTimeout } from './with-timeout.js';

const DEFAULT_MIN_DELAY = 200;
const DEFAULT_MAX_DELAY = 5000;

type ApprovalRule = Extract<ToolPolicies['needsApproval'], (...given: never[]) => unknown>;

/** The state of one tool between calls. */
export interface PolicyState {
  readonly limiter: ToolRateLimiter | undefined;
  readonly cache: ToolResultCache | undefined;
}

/**
 * Runs the calls of one tool according to its policies: rate limit, cache, concurrency key, retry,
 * timeout.
 */
export class CallPolicies {
  readonly #retry: ToolRetry | undefined;

  /**
   * @param timeout the limit for each attempt, in milliseconds
   * @param keys the concurrency keys, which all tools share
   * @param onUntrusted what happens to the calls after the model has read untrusted content.
   *   Undefined: nothing
   */
  constructor(
    readonly policies: ToolPolicies,
    readonly timeout: number | undefined,
    private readonly keys: ConcurrencyKeys,
    private readonly state: PolicyState,
    private readonly onUntrusted: UntrustedAction | undefined,
  ) {
    this.#retry = typeof policies.retry === 'number' ? { retries: policies.retry } : policies.retry;
  }

  /**
   * Whether the call needs approval.
   *
   * @throws UntrustedContentException if the call must not run because the model has read
   *   untrusted content
   */
  needsApproval(call: PipelineCall): Awaitable<boolean> {
    const { needsApproval } = this.policies;
    if (this.onUntrusted && asksAfterUntrusted(this.onUntrusted, call.batch, call.call.name)) return true;
    return typeof needsApproval === 'function' ? this.#asksFor(call, needsApproval) : needsApproval === true;
  }

  async #asksFor({ call, policyInput, run }: PipelineCall, needsApproval: ApprovalRule): Promise<boolean> {
    // Unreadable arguments need approval, because no function can judge them.
    if (policyInput === undefined) return true;
    try {
      const needed: unknown = await needsApproval(policyInput, run.context);
      // Fail closed: only an explicit `false` skips approval.
      return needed !== false;
    } catch (error) {
      const told = 'It cannot be decided now whether this call needs approval. It was not run.';
      throw undecided(call.name, 'needsApproval', error, told);
    }
  }

  /** @throws ToolRateLimitException if the tool was called too often */
  async execute(call: PipelineCall): Promise<unknown> {
    const { limiter, cache } = this.state;
    // A call that continues with its user's input was counted before, and its result depends on the
    // input. So was a call whose code asked for its approval.
    const { context, text } = call.run;
    const { input, approval } = context;
    const { needsApproval, rateLimit } = this.policies;
    const wasCounted = input || (approval && !this.onUntrusted && !needsApproval);
    if (rateLimit && !wasCounted) await countCall(limiter!, call.call.name, rateLimit, this.#rateKeyOf(call));
    if (!cache || input) return this.#oneAtATime(call);
    return cache.get(cacheKeyOf(text), context, () => this.#oneAtATime(call));
  }

  async #oneAtATime(call: PipelineCall): Promise<unknown> {
    const key = this.#keyOf(call);
    if (key === undefined) return this.#retried(call);
    const keyed = { toolName: call.call.name, timeout: this.timeout, signal: call.turn.signal };
    return this.keys.run(key, keyed, (hold) => this.#retried(call, hold));
  }

  #keyOf({ call, policyInput, run }: PipelineCall): string | undefined {
    const { concurrencyKey } = this.policies;
    if (typeof concurrencyKey !== 'function') return concurrencyKey;
    try {
      return concurrencyKey(policyInput, run.context);
    } catch (error) {
      throw undecided(call.name, 'concurrencyKey', error);
    }
  }

  #rateKeyOf({ call, policyInput, run }: PipelineCall): string {
    try {
      return this.policies.rateLimit?.key?.(policyInput, run.context) ?? '';
    } catch (error) {
      throw undecided(call.name, 'rateLimit.key', error);
    }
  }

  #retried(call: PipelineCall, hold?: KeyHold): Promise<unknown> {
    if (!this.#retry) return this.#inTime(call, hold);
    const { turn } = call;
    const { retries, minDelay = DEFAULT_MIN_DELAY, shouldRetry } = this.#retry;
    const { maxDelay = Math.max(minDelay, DEFAULT_MAX_DELAY) } = this.#retry;
    const isWorthIt = shouldRetry ?? isWorthAnotherTry;
    return retry(() => this.#inTime(call, hold), {
      retries,
      minDelay,
      maxDelay,
      signal: turn.signal,
      shouldRetry: async (error) => {
        if (turn.isAborted || asksForInput(error) || !isWorthIt(unwrapped(error))) return false;
        return !hold || hold.hasEnded(turn.signal);
      },
    });
  }

  #inTime(call: PipelineCall, hold: KeyHold | undefined): Promise<unknown> {
    const { turn, init, run } = call;
    return withTimeout(call.call.name, this.timeout, turn.signal, (signal) => {
      init.signal = signal;
      const running = hold ? hold.run((endsLater) => run.runCode(endsLater)) : run.runCode();
      // The tool may keep running after its call has ended.
      turn.running?.addTool(running, signal);
      return running;
    });
  }
}

/**
 * The cache key of the arguments. Equal arguments have the same key if their spelling differs,
 * where this can be determined.
 */
function cacheKeyOf(text: string): unknown {
  return losesDigits(text) ? text : (parseJson(text) ?? text);
}

/** Do not retry client errors: the same request would fail again. */
function isWorthAnotherTry(error: unknown): boolean {
  if (isA(error, ToolInputException)) return false;
  const status = statusOf(error);
  return status === undefined || status >= 500;
}
