import type { Awaitable } from '../model/awaitable.js';
import { runsWithRunner, type ToolCallback } from '../model/tool-callback.js';
import type { ToolContext, ToolContextInit } from '../model/tool-context.js';
import type { ToolResult } from '../model/tool-result.js';
import type { TurnContext } from '../model/turn-context.js';
import { type CompiledPolicies, PolicyRunner } from './policy-runner.js';
import type { RunnableToolCall } from './tool-call-runner.js';
import { ToolTimeoutException } from './with-timeout.js';

/** Stands for the result of a call that waits for approval. */
export const IS_PENDING = Symbol('pending');

/** One call of a tool, known to whoever ends turns while it runs. */
export class StartableCall {
  #running: Promise<unknown> | undefined;
  #slot = -1;

  constructor(
    private readonly callback: ToolCallback,
    private readonly input: string,
    readonly context: ToolContext,
    private readonly turn: TurnContext,
  ) {}

  start(): Promise<string | ToolResult> {
    // An earlier try has ended.
    this.end();
    const running = this.callback.call(this.input, this.context);
    if (this.turn.running && running instanceof Promise) {
      this.#slot = this.turn.running.callBegan(running);
      this.#running = running;
    }
    return running;
  }

  /** The call is answered, or waited for no longer. */
  end(): void {
    if (this.#running) this.turn.running?.callEnded(this.#slot, this.#running, this.turn.isAborted);
    this.#running = undefined;
  }

  get text(): string {
    return this.input;
  }
}

/** Runs a call as policies say. */
export async function runWith(
  policies: CompiledPolicies,
  { call, callback, turn, isApproved }: RunnableToolCall,
  code: StartableCall,
  { init, timeout }: { readonly init: ToolContextInit; readonly timeout: number | undefined },
): Promise<unknown> {
  const { context, text } = code;
  const runner = new PolicyRunner(policies, { toolName: call.name, text, context, init, turn, isApproved });
  const runsItself = runsWithRunner(callback);
  if (runsItself) init.runner = runner;
  const start = (): Promise<string | ToolResult> => code.start();
  const run = (): Awaitable<unknown> => (runsItself ? start() : runner.run(start));
  try {
    const result = await inTime(call.name, timeout, turn, runner, run);
    return runner.isPending ? IS_PENDING : result;
  } catch (error) {
    if (runner.isPending && !turn.isAborted) return IS_PENDING;
    throw error;
  }
}

/** What comes before the code and after it, guards, interceptors, the question for approval, may hang as well. */
async function inTime(
  toolName: string,
  timeout: number | undefined,
  turn: TurnContext,
  runner: PolicyRunner,
  run: () => Awaitable<unknown>,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const racing: Promise<unknown>[] = [Promise.resolve(run())];
  if (timeout !== undefined && timeout !== Number.POSITIVE_INFINITY) {
    racing.push(
      new Promise((_resolve, reject) => {
        const arm = (): void => {
          timer = setTimeout(() => reject(new ToolTimeoutException(toolName, timeout)), timeout);
        };
        arm();
        // The code has its own time, each time that it is tried.
        runner.onBegin = () => clearTimeout(timer);
        runner.onEnd = arm;
      }),
    );
  }
  try {
    const first = racing.length === 1 ? racing[0]! : Promise.race(racing);
    return await turn.untilAborted(first);
  } finally {
    runner.onEnd = undefined;
    clearTimeout(timer);
    runner.close();
  }
}
