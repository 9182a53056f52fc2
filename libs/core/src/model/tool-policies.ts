import type { Awaitable } from './awaitable.js';
import type { ToolContext } from './tool-context.js';
import type { ToolLabels } from './tool-labels.js';

/** How often and when Nestor retries a failed tool. */
export interface ToolRetry {
  /** The number of retries after the first try. */
  readonly retries: number;
  /**
   * The delay before the first retry, in milliseconds. It doubles each time, with some randomness.
   * Default: 200.
   */
  readonly minDelay?: number;
  /** The longest delay, in milliseconds. Default: 5000, or `minDelay` if that is longer. */
  readonly maxDelay?: number;
  /**
   * Decides whether to retry after an error. Default: every error, except invalid arguments and an
   * `HttpException` with a status below 500, since the same request would fail again.
   */
  readonly shouldRetry?: (error: unknown) => boolean;
}

/**
 * The input of a tool in the functions of its options. `any` until a class or a schema types it, so
 * that you can write `({ amount }) => amount > 100`.
 */
// eslint-disable-next-line typescript/no-explicit-any -- TypeScript cannot infer the parameters of a decorated method
export type AnyInput = any;

/** Limits the number of calls per interval. */
export interface ToolRateLimit<Input = AnyInput> {
  /** How many calls may start in one interval. */
  readonly calls: number;
  /** In milliseconds. */
  readonly interval: number;
  /**
   * Calls with different keys are counted separately, for example per tenant. Default: one count
   * for all.
   */
  readonly key?: (input: Input, context: ToolContext) => string;
}

/**
 * How the calls of a tool run. `input` is the value that the method receives: validated, and an
 * instance of its class if it has one. A class that extends `ToolCallback` validates nothing before: its
 * functions get what the model wrote.
 */
export interface ToolPolicies<Input = AnyInput> extends ToolLabels {
  /**
   * The time limit of a call, or of each try with `retry`, in milliseconds. Default: the property
   * `ai.tools.timeout`.
   */
  readonly timeout?: number;
  /**
   * Whether the tool never runs in parallel with other calls of the same message. Code that
   * continues after its call was given up is not waited for. Default: false.
   */
  readonly sequential?: boolean;
  /**
   * Retries a failed tool: the number of retries, or more options. A tool that ignores its signal
   * may still be running during the retry, unless it has a `concurrencyKey`. Default: no retries.
   */
  readonly retry?: number | ToolRetry;
  /**
   * Calls with the same key run one after the other, across tools, messages and users. Default:
   * none.
   *
   * The key is released when the code ends, even if the call was given up before. A call that
   * waits behind such code waits as long as its own timeout, or 30 seconds if it has none, and
   * then fails without running.
   *
   * A call inside another call with the same key does not wait.
   */
  readonly concurrencyKey?: string | ((input: Input, context: ToolContext) => string | undefined);
  /**
   * Calls above this limit do not run, and the model reads when to try again. Each process counts
   * its own calls, unless `AiModule` has a `ToolRateLimits`. Default: no limit.
   */
  readonly rateLimit?: ToolRateLimit<Input>;
  /**
   * How long a result is reused for calls with equal arguments, an equal tool context and the same
   * caller request, in milliseconds. Guards still run. Each process has its own cache, unless
   * `AiModule` has a `ToolResultStore`. Default: results are not cached.
   */
  readonly cacheTtl?: number;
  /** Whether a human must approve a call before it runs. Default: false. */
  readonly needsApproval?: boolean | ((input: Input, context: ToolContext) => Awaitable<boolean>);
  /**
   * Whether a call may run twice. If so, a call that was interrupted, because its process died or
   * its caller left, runs again without a question when its turn resumes. Default: false.
   */
  readonly replaySafe?: boolean;
  /**
   * Runs the tool as a job of its own, for code that takes minutes: the turn is suspended, and a
   * worker of the queue runs the code and continues the turn. Needs the `TurnQueue` and the
   * `TurnJournal` of `@nestor-ai/turns`, such as those of `BullAiModule` and `PostgresAiModule`.
   * Without them, the tool runs at once. Default: at once.
   */
  readonly job?: ToolJob;
}

/** Where the calls of a long tool run. */
export interface ToolJob {
  /** The name of the queue. Tools of one queue share its workers. It cannot contain a colon. */
  readonly queue: string;
}
