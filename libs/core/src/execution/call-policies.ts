import type { Awaitable } from '../model/awaitable.js';
import type { UntrustedAction } from '../model/tool-labels.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolPolicies, ToolRateLimit, ToolRetry } from '../model/tool-policies.js';
import { hasUntrusted, isUntrusted } from '../model/untrusted.js';
import { losesDigits, parseJson, ToolInputException } from '@nestor-ai/schema';
import { isA, statusOf, unwrapped, waitOfCode } from '../tool/tool-execution.exception.js';
import type { ConcurrencyKeys } from './concurrency-keys.js';
import type { PipelineCall } from './pipeline-call.js';
import { undecided } from './policy-failure.js';
import { retry } from './retry.js';
import { countCall } from './tool-rate-limit.js';
import type { ToolRateLimiter } from './tool-rate-limits.js';
import type { ToolResultCache } from './tool-result-cache.js';
import { UntrustedContentException } from './trust/untrusted-content.exception.js';
import { withTimeout } from './with-timeout.js';

const DEFAULT_MIN_DELAY = 200;
const DEFAULT_MAX_DELAY = 5000;

type ApprovalRule = Extract<ToolPolicies['needsApproval'], (...given: never[]) => unknown>;

/** The state of one tool between calls. */
export interface PolicyState {
  readonly limiter: ToolRateLimiter | undefined;
  readonly cache: ToolResultCache | undefined;
}

/** One policy of a tool. `next` runs the policies after it and the code. */
type CallPolicy = (call: PipelineCall, next: () => Promise<unknown>) => Promise<unknown>;

/**
 * The policies of one tool: whether a call needs approval, and the list of those that run around
 * the code, from the outermost: rate limit, cache, concurrency key, retry, timeout. The list only
 * has what the tool asks for.
 */
export class CallPolicies {
  /**
   * Runs the code of a call inside the policies.
   *
   * @throws ToolRateLimitException if the tool was called too often
   */
  readonly execute: (call: PipelineCall) => Promise<unknown>;

  /**
   * @param timeout the limit for each attempt, in milliseconds
   * @param keys the concurrency keys, which all tools share
   * @param onUntrusted what happens to the calls after the model has read untrusted content.
   *   Undefined: nothing
   */
  constructor(
    readonly policies: ToolPolicies,
    readonly timeout: number | undefined,
    keys: ConcurrencyKeys,
    { limiter, cache }: PolicyState,
    private readonly onUntrusted: UntrustedAction | undefined,
  ) {
    const { rateLimit, concurrencyKey, retry: retries, needsApproval } = policies;
    const isAskedByCode = !onUntrusted && !needsApproval;
    const list: (CallPolicy | false | 0 | undefined)[] = [
      rateLimit && limited(limiter!, rateLimit, isAskedByCode),
      cache && cached(cache),
      concurrencyKey !== undefined && oneAtATime(keys, concurrencyKey, timeout),
      retries && retried(typeof retries === 'number' ? { retries } : retries),
    ];
    this.execute = list.reduceRight<CallPolicies['execute']>(
      (next, policy) => (policy ? (call) => policy(call, () => next(call)) : next),
      (call) => inTime(call, timeout),
    );
  }

  /**
   * Whether the call needs approval.
   *
   * @throws UntrustedContentException if the call must not run because the model has read
   *   untrusted content
   */
  needsApproval(call: PipelineCall): Awaitable<boolean> {
    const { needsApproval } = this.policies;
    if (this.#asksAfterUntrusted(call)) return true;
    return typeof needsApproval === 'function' ? this.#asksFor(call, needsApproval) : needsApproval === true;
  }

  /**
   * Whether the model may have read untrusted content before it asked for a call that cannot be
   * undone. Its message is marked as well, because advisors may have sent more than the
   * conversation contains. The results of its other calls do not count: the model has not read them yet.
   */
  #asksAfterUntrusted({ batch: { message, prompt }, call }: PipelineCall): boolean {
    if (!this.onUntrusted || !(isUntrusted(message) || hasUntrusted(prompt.messages))) return false;
    if (this.onUntrusted === 'refuse') throw new UntrustedContentException(call.name);
    return true;
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
}

/** @param isAskedByCode whether only the code of the tool asks for approval */
function limited(limiter: ToolRateLimiter, rateLimit: ToolRateLimit, isAskedByCode: boolean): CallPolicy {
  const keyOf = rateLimit.key?.bind(rateLimit);
  return async (call, next) => {
    // A call that continues with its user's input was counted before. So was a call whose code
    // asked for its approval.
    const { input, approval } = call.run.context;
    if (!input && !(approval && isAskedByCode)) {
      const key = decidedBy('rateLimit.key', call, keyOf) ?? '';
      await countCall(limiter, call.call.name, rateLimit, key);
    }
    return next();
  };
}

function cached(cache: ToolResultCache): CallPolicy {
  return ({ run: { context, text } }, next) =>
    // The result of a call that continues with its user's input depends on the input.
    context.input ? next() : cache.get(cacheKeyOf(text), context, next);
}

function oneAtATime(
  keys: ConcurrencyKeys,
  concurrencyKey: NonNullable<ToolPolicies['concurrencyKey']>,
  timeout: number | undefined,
): CallPolicy {
  return async (call, next) => {
    const key =
      typeof concurrencyKey === 'function' ? decidedBy('concurrencyKey', call, concurrencyKey) : concurrencyKey;
    if (key === undefined) return next();
    return keys.run(key, { toolName: call.call.name, timeout, signal: call.turn.signal }, (hold) => {
      call.keyHold = hold;
      return next();
    });
  };
}

function retried({ retries, minDelay = DEFAULT_MIN_DELAY, maxDelay, shouldRetry }: ToolRetry): CallPolicy {
  const isWorthIt = shouldRetry ?? isWorthAnotherTry;
  return ({ turn, keyHold }, next) =>
    retry(next, {
      retries,
      minDelay,
      maxDelay: maxDelay ?? Math.max(minDelay, DEFAULT_MAX_DELAY),
      signal: turn.signal,
      shouldRetry: async (error) => {
        if (turn.isAborted || waitOfCode(error) || !isWorthIt(unwrapped(error))) return false;
        return !keyHold || keyHold.hasEnded(turn.signal);
      },
    });
}

/** The code of a call, in the time that its tool has for an attempt. */
function inTime({ call, turn, init, run, keyHold }: PipelineCall, timeout: number | undefined): Promise<unknown> {
  return withTimeout(call.name, timeout, turn.signal, (signal) => {
    init.signal = signal;
    const running = keyHold ? keyHold.run(run) : run.runCode();
    // The tool may keep running after its call has ended.
    turn.running?.addTool(running, signal);
    return running;
  });
}

/**
 * What a function of the tool's options says about a call.
 *
 * @throws ToolUnavailableException if the function fails
 */
function decidedBy<T>(
  option: string,
  { call, policyInput, run }: PipelineCall,
  decide: ((input: never, context: ToolContext) => T) | undefined,
): T | undefined {
  try {
    return decide?.(policyInput as never, run.context);
  } catch (error) {
    throw undecided(call.name, option, error);
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
