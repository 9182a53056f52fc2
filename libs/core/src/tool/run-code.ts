import { RUNS_WITH_RUNNER, TOOL_RUNNER, type ToolContext } from '../model/tool-context.js';
import { settleResult } from './result/settle-result.js';

/**
 * Runs the code behind a tool, in the way that its context says: behind approval, again after a failure, or just so. Of calls
 * within each other the outermost has the say.
 *
 * @param code calls the method or function
 */
export function runCode(context: ToolContext, code: () => unknown): unknown {
  const runner = context[TOOL_RUNNER];
  if (!runner) return code();
  return runner.run(() => settleResult(code(), context));
}

/**
 * Calls a method with arguments that were laid out earlier. A signal among them is that of the call as a whole; when the call is
 * made again, each try has its own.
 */
export function runMethod(
  instance: Record<string, (...args: unknown[]) => unknown>,
  methodName: string,
  args: readonly unknown[],
  context: ToolContext,
): unknown {
  // A tool behind guards may be one that uses the runner itself, with arguments that it has read.
  if (!context[TOOL_RUNNER] || RUNS_WITH_RUNNER in instance[methodName]!) return instance[methodName]!(...args);
  return runCode(context, () =>
    instance[methodName]!(...args.map((arg) => (arg instanceof AbortSignal ? context.signal : arg))),
  );
}
