import { isPromise } from '../../model/awaitable.js';
import type { ToolSteps } from '../../tool/tool-record.js';
import { WAITS } from '../../tool/tool-run.js';

/** The type of the execution context that guards, interceptors and filters of tools see. */
export const AI_TOOL_CONTEXT_TYPE = 'ai-tool';

/**
 * The index of the {@link ToolInvocation} in the arguments of the execution context: after
 * request, response and next.
 */
export const INVOCATION_INDEX = 3;

/**
 * The last argument of the execution context. The caller's request is the first argument, so that
 * guards written for HTTP find it there, and nothing that a model wrote.
 */
export class ToolInvocation {
  /** The errors of the tool itself. */
  readonly #thrown = new Set<unknown>();
  /** The error that the filters got, if there are any. */
  failure: unknown;

  constructor(readonly steps: ToolSteps) {}

  hasThrown(error: unknown): boolean {
    return this.#thrown.has(error);
  }

  /** Runs the steps after the guards. @param intercept runs the interceptors, if there are any */
  async proceed(intercept: ((invocation: ToolInvocation) => Promise<unknown>) | undefined): Promise<unknown> {
    if (!(await this.#watch(() => this.steps.admit()))) return WAITS;
    return intercept ? intercept(this) : this.execute();
  }

  /** Runs the code after the interceptors. */
  execute(): Promise<unknown> {
    return this.#watch(() => this.steps.execute());
  }

  /** Throws the stored error inside the filters. @throws the error of the call */
  rethrow(): never {
    throw this.failure;
  }

  async #watch<T>(step: () => T | Promise<T>): Promise<T> {
    try {
      const done = step();
      return isPromise(done) ? await done : done;
    } catch (error) {
      this.#thrown.add(error);
      throw error;
    }
  }
}
