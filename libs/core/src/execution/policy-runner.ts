import { AsyncLocalStorage } from 'node:async_hooks';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { SerialQueue } from '../model/serial-queue.js';
import type { ToolContext, ToolContextInit, ToolRunner } from '../model/tool-context.js';
import type { ToolPolicies, ToolRateLimit, ToolRetry } from '../model/tool-policies.js';
import { isResultLike } from '../model/tool-result.js';
import type { TurnContext } from '../model/turn-context.js';
import { lazyRequire } from '../tool/lazy-require.js';
import { parseJson } from '../tool/input/parse-json.js';
import { ToolInputException } from '../tool/input/tool-input.js';
import { statusOf, unwrapped } from '../tool/tool-execution.exception.js';
import { retry } from './retry.js';
import { ToolResultCache } from './tool-result-cache.js';
import { withTimeout } from './with-timeout.js';

const DEFAULT_MIN_DELAY = 200;
const DEFAULT_MAX_DELAY = 5000;

/** A call, as far as its policies have to know it. */
export interface PolicyCall {
  readonly toolName: string;
  /** The arguments as the model wrote them. */
  readonly text: string;
  readonly context: ToolContext;
  /** What the context was made of: each try has its own signal. */
  readonly init: ToolContextInit;
  readonly turn: TurnContext;
  /** A human has approved it. */
  readonly isApproved: boolean;
}

/** What is remembered of one tool from call to call. */
export interface PolicyState {
  readonly limiter: RateLimiterMemory | undefined;
  readonly cache: ToolResultCache | undefined;
}

export function createPolicyState({ rateLimit, cacheTtl }: ToolPolicies): PolicyState {
  return {
    limiter: rateLimit && createLimiter(rateLimit),
    cache: cacheTtl === undefined ? undefined : new ToolResultCache(cacheTtl),
  };
}

/** The policies of one tool, and what is remembered of it. */
export class CompiledPolicies {
  readonly #limiter: RateLimiterMemory | undefined;
  readonly #cache: ToolResultCache | undefined;
  readonly #retry: ToolRetry | undefined;

  /** @param queue shared by all tools, since they may share keys */
  constructor(
    private readonly policies: ToolPolicies,
    private readonly queue: SerialQueue,
    { limiter, cache }: PolicyState,
  ) {
    this.#limiter = limiter;
    this.#cache = cache;
    this.#retry = typeof policies.retry === 'number' ? { retries: policies.retry } : policies.retry;
  }

  /** @throws Error saying when to try again */
  async checkRate(call: PolicyCall, input: unknown): Promise<void> {
    if (!this.#limiter) return;
    const { calls, interval, key } = this.policies.rateLimit!;
    try {
      await this.#limiter.consume(key?.(input, call.context) ?? '');
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      throw new ToolRateLimitException(call.toolName, { calls, interval }, (refusal as RateLimiterRes).msBeforeNext);
    }
  }

  async needsApproval(call: PolicyCall, input: unknown): Promise<boolean> {
    const { needsApproval } = this.policies;
    if (typeof needsApproval !== 'function') return needsApproval === true;
    // Of arguments that nobody can read nothing can be said.
    if (input === undefined) return true;
    const needed: unknown = await needsApproval(input as never, call.context);
    // Whoever does not say no has not been asked well.
    return needed !== false;
  }

  /** Cache, then one after the other, then retry(timeout(code)). */
  async execute(call: PolicyCall, input: unknown, code: () => unknown): Promise<unknown> {
    const run = (): Promise<unknown> => this.#oneAfterTheOther(call, input, code);
    return this.#cache ? this.#cache.get(cacheKeyOf(call.text), call.context, run, isFailure) : run();
  }

  async #oneAfterTheOther(call: PolicyCall, input: unknown, code: () => unknown): Promise<unknown> {
    const { concurrencyKey } = this.policies;
    const key = typeof concurrencyKey === 'function' ? concurrencyKey(input, call.context) : concurrencyKey;
    const run = (): Promise<unknown> => this.#again(call, code);
    return key === undefined ? run() : this.queue.run(key, run, call.turn.signal);
  }

  async #again(call: PolicyCall, code: () => unknown): Promise<unknown> {
    const once = (): Promise<unknown> => this.#inTime(call, code);
    if (!this.#retry) return once();
    const { retries, minDelay = DEFAULT_MIN_DELAY, maxDelay = DEFAULT_MAX_DELAY, shouldRetry } = this.#retry;
    return retry(once, {
      retries,
      minDelay,
      maxDelay,
      signal: call.turn.signal,
      shouldRetry: (error) => !call.turn.signal.aborted && (shouldRetry ?? isWorthAnotherTry)(unwrapped(error)),
    });
  }

  #inTime({ toolName, turn, init }: PolicyCall, code: () => unknown): Promise<unknown> {
    return withTimeout(toolName, this.policies.timeout, turn.signal, (signal) => {
      init.signal = signal;
      const running = (async () => code())();
      // It may go on when it is waited for no longer.
      turn.running?.addTool(running, signal);
      return running;
    });
  }
}

function createLimiter({ calls, interval }: ToolRateLimit): RateLimiterMemory {
  const { RateLimiterMemory: Limiter } = lazyRequire<{ RateLimiterMemory: typeof RateLimiterMemory }>(
    'rate-limiter-flexible',
  );
  return new Limiter({ points: calls, duration: interval / 1000 });
}

/** The runner whose code is running: a tool that hands its context on to another one is one call. */
const running = new AsyncLocalStorage<PolicyRunner>();

/** Runs the code of one call as the policies of its tool say, each time that it is asked to: an interceptor may try again. */
export class PolicyRunner implements ToolRunner {
  input?: unknown;
  /** The call waits for approval, whatever became of it on its way back through interceptors and filters. */
  isPending = false;
  /** Told when the code is about to run. */
  onBegin: (() => void) | undefined;
  /** Told when the code has ended. */
  onEnd: (() => void) | undefined;
  #isClosed = false;
  #decision: Promise<boolean> | undefined;

  constructor(
    private readonly policies: CompiledPolicies,
    private readonly call: PolicyCall,
  ) {}

  /** The call is answered: a guard that comes to an end later does not let it run any more. */
  close(): void {
    this.#isClosed = true;
  }

  async run(code: () => unknown): Promise<unknown> {
    if (running.getStore() === this) return code();
    const input = this.input ?? parseJson(this.call.text);
    if (!this.call.isApproved) {
      // Decided once: a call that has run does not wait any more.
      this.isPending = await (this.#decision ??= this.policies.needsApproval(this.call, input));
    }
    if (this.isPending) throw new ToolApprovalPendingException(this.call.toolName);
    await this.policies.checkRate(this.call, input);
    if (this.#isClosed) throw new Error(`The call of '${this.call.toolName}' has been given up.`);
    this.onBegin?.();
    try {
      return await this.policies.execute(this.call, input, () => running.run(this, code));
    } finally {
      this.onEnd?.();
    }
  }
}

/**
 * A tool is not run, because a human has to approve the call. Interceptors and filters may see it; whatever they make of it, the
 * call waits.
 */
export class ToolApprovalPendingException extends Error {
  override readonly name = 'ToolApprovalPendingException';

  constructor(readonly toolName: string) {
    super(`The tool '${toolName}' waits for approval.`);
  }
}

/** A tool was called more often than its rate limit allows. */
export class ToolRateLimitException extends Error {
  override readonly name = 'ToolRateLimitException';

  /** @param retryAfter in milliseconds */
  constructor(
    toolName: string,
    { calls, interval }: Pick<ToolRateLimit, 'calls' | 'interval'>,
    readonly retryAfter: number,
  ) {
    super(
      `The tool '${toolName}' takes ${calls} ${calls === 1 ? 'call' : 'calls'} in ${inWords(interval)}. Try again in ` +
        `${inWords(retryAfter)}, or go on without it.`,
    );
  }
}

function inWords(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${Math.ceil(milliseconds / 1000)} s`;
}

/** Numbers that JSON loses digits of. */
const LONG_NUMBER = /\d{16}/;

/** Equal arguments are equal whatever their spelling, as far as that can be told. */
function cacheKeyOf(text: string): unknown {
  return LONG_NUMBER.test(text) ? text : (parseJson(text) ?? text);
}

function isFailure(result: unknown): boolean {
  return isResultLike(result) && result.isError === true;
}

/** What is wrong with the request is wrong the next time, too. */
function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof ToolInputException) return false;
  const status = statusOf(error);
  return status === undefined || status >= 500;
}
