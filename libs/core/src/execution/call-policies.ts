import type { ToolContext, ToolContextInit } from '../model/tool-context.js';
import type { ToolPolicies, ToolRetry } from '../model/tool-policies.js';
import { isResultLike } from '../model/tool-result.js';
import type { TurnControl } from '../model/turn-control.js';
import { losesDigits, parseJson, ToolInputException } from '@nestor-ai/schema';
import type { EndsLater } from '../tool/result/settle-result.js';
import { asksForInput, isA, statusOf, unwrapped } from '../tool/tool-execution.exception.js';
import type { ConcurrencyKeys } from './concurrency-keys.js';
import type { KeyHold } from './key-hold.js';
import { undecided } from './policy-failure.js';
import { retry } from './retry.js';
import { SharedToolResults } from './shared-tool-results.js';
import { type EnforcedRateLimit, LocalRateLimit, SharedRateLimit } from './tool-rate-limit.js';
import type { ToolRateLimits } from './tool-rate-limits.js';
import { ToolResultCache } from './tool-result-cache.js';
import type { ToolResultStore } from './tool-result-store.js';
import type { UntrustedContentGuard } from './trust/untrusted-content-guard.js';
import { withTimeout } from './with-timeout.js';

const DEFAULT_MIN_DELAY = 200;
const DEFAULT_MAX_DELAY = 5000;

/** The parts of a call that its policies need. */
export interface PolicyCall {
  readonly toolName: string;
  /** The arguments as the model wrote them. */
  readonly text: string;
  /** The arguments that the tool receives. For a tool that parses them itself: the JSON value. */
  readonly policyInput: unknown;
  readonly context: ToolContext;
  /** The values that the context was created from. Each attempt has its own signal. */
  readonly init: ToolContextInit;
  readonly turn: TurnControl;
  /** Whether the model may have read untrusted content before it asked for the call. */
  readonly hasReadUntrusted: boolean;
  /**
   * Runs the code once.
   *
   * @param endsLater receives the promise of code that still runs when its result is no longer
   *   awaited
   */
  runCode(endsLater?: EndsLater): Promise<unknown>;
}

/** The state of one tool between calls. */
export interface PolicyState {
  readonly limiter: EnforcedRateLimit | undefined;
  readonly cache: ToolResultCache | undefined;
}

/** What the policies of a tool share with other processes. */
export interface SharedPolicies {
  /** The name of the tool in all processes. */
  readonly toolName: string;
  /** Tells the tool from all others in all processes. Undefined if only this process has it. */
  readonly replicatedId: string | undefined;
  readonly rateLimits: ToolRateLimits | undefined;
  readonly resultStore: ToolResultStore | undefined;
}

export function createPolicyState({ rateLimit, cacheTtl }: ToolPolicies, shared: SharedPolicies): PolicyState {
  const { toolName, replicatedId, rateLimits, resultStore } = shared;
  const isShared = cacheTtl !== undefined && resultStore && replicatedId !== undefined;
  const results = isShared ? new SharedToolResults(resultStore, toolName, replicatedId, cacheTtl) : undefined;
  return {
    limiter:
      rateLimit && (rateLimits ? new SharedRateLimit(rateLimits, toolName, rateLimit) : new LocalRateLimit(rateLimit)),
    cache: cacheTtl === undefined ? undefined : new ToolResultCache(cacheTtl, results),
  };
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
   * @param guard decides about irreversible calls after the model has read untrusted content
   */
  constructor(
    private readonly policies: ToolPolicies,
    readonly timeout: number | undefined,
    private readonly keys: ConcurrencyKeys,
    private readonly state: PolicyState,
    private readonly guard: UntrustedContentGuard | undefined,
  ) {
    this.#retry = typeof policies.retry === 'number' ? { retries: policies.retry } : policies.retry;
  }

  /** Whether the tool's results are untrusted. */
  get isUntrusted(): boolean {
    return this.policies.untrusted === true;
  }

  /**
   * Whether the call may need approval.
   *
   * @throws UntrustedContentException if the call must not run because the model has read
   *   untrusted content
   */
  mayNeedApproval(call: PolicyCall): boolean {
    const { needsApproval } = this.policies;
    return this.guard?.asksFor(call) || (needsApproval !== undefined && needsApproval !== false);
  }

  /** The queue whose workers run the code. Undefined: it runs in the process of the turn. */
  get queue(): string | undefined {
    return this.policies.job?.queue;
  }

  /** Whether the call needs approval. */
  async needsApproval(call: PolicyCall): Promise<boolean> {
    const { needsApproval } = this.policies;
    if (this.guard?.asksFor(call)) return true;
    if (typeof needsApproval !== 'function') return needsApproval === true;
    const { toolName, policyInput, context } = call;
    // Unreadable arguments need approval, because no function can judge them.
    if (policyInput === undefined) return true;
    try {
      const needed: unknown = await needsApproval(policyInput, context);
      // Fail closed: only an explicit `false` skips approval.
      return needed !== false;
    } catch (error) {
      throw undecided(
        toolName,
        'needsApproval',
        error,
        'It cannot be decided now whether this call needs approval. It was not run.',
      );
    }
  }

  /** @throws ToolRateLimitException if the tool was called too often */
  async execute(call: PolicyCall): Promise<unknown> {
    const { limiter, cache } = this.state;
    // A call that continues with its user's input was counted before, and its result depends on the
    // input. So was a call whose code asked for its approval.
    const { input, approval } = call.context;
    const wasCounted = input || (approval && !this.guard && !this.policies.needsApproval);
    if (limiter && !wasCounted) await limiter.consume(call.toolName, this.#rateKeyOf(call));
    if (!cache || input) return this.#oneAtATime(call);
    return cache.get(cacheKeyOf(call.text), call.context, () => this.#oneAtATime(call), isFailure);
  }

  async #oneAtATime(call: PolicyCall): Promise<unknown> {
    const key = this.#keyOf(call);
    if (key === undefined) return this.#retried(call);
    const { toolName, turn } = call;
    const keyed = { toolName, timeout: this.timeout, signal: turn.signal };
    return this.keys.run(key, keyed, (hold) => this.#retried(call, hold));
  }

  #keyOf({ toolName, policyInput, context }: PolicyCall): string | undefined {
    const { concurrencyKey } = this.policies;
    if (typeof concurrencyKey !== 'function') return concurrencyKey;
    try {
      return concurrencyKey(policyInput, context);
    } catch (error) {
      throw undecided(toolName, 'concurrencyKey', error);
    }
  }

  #rateKeyOf({ toolName, policyInput, context }: PolicyCall): string {
    try {
      return this.policies.rateLimit?.key?.(policyInput, context) ?? '';
    } catch (error) {
      throw undecided(toolName, 'rateLimit.key', error);
    }
  }

  #retried(call: PolicyCall, hold?: KeyHold): Promise<unknown> {
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

  #inTime(call: PolicyCall, hold: KeyHold | undefined): Promise<unknown> {
    const { turn, init } = call;
    return withTimeout(call.toolName, this.timeout, turn.signal, (signal) => {
      init.signal = signal;
      const running = hold ? hold.run((endsLater) => call.runCode(endsLater)) : call.runCode();
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

function isFailure(result: unknown): boolean {
  return isResultLike(result) && result.isError === true;
}

/** Do not retry client errors: the same request would fail again. */
function isWorthAnotherTry(error: unknown): boolean {
  if (isA(error, ToolInputException)) return false;
  const status = statusOf(error);
  return status === undefined || status >= 500;
}
