import type { ExecutionContext } from '@nestjs/common';
import type { ToolContext } from '../../model/tool-context.js';
import { INVOCATION_INDEX, type ToolInvocation } from './enhanced-call.js';
import { AI_TOOL_CONTEXT_TYPE } from './method-host.js';

/**
 * What a guard, interceptor or filter can know of the tool call it stands before.
 *
 * @example
 * canActivate(context: ExecutionContext) {
 *   if (!AiToolExecutionContext.is(context)) return true;
 *   return AiToolExecutionContext.of(context).toolContext.get('role') === 'admin';
 * }
 */
export class AiToolExecutionContext {
  private constructor(
    /** What the application gave the tool. */
    readonly toolContext: ToolContext,
    /** The arguments that the method will be called with, already validated. */
    readonly args: readonly unknown[],
  ) {}

  /** Whether it is a tool call: guards of HTTP endpoints have to let others pass, or to refuse them. */
  static is(context: Pick<ExecutionContext, 'getType'>): boolean {
    return context.getType<string>() === AI_TOOL_CONTEXT_TYPE;
  }

  /** @throws TypeError when it is not a tool call */
  static of(context: Pick<ExecutionContext, 'getType' | 'getArgs'>): AiToolExecutionContext {
    if (!AiToolExecutionContext.is(context)) {
      throw new TypeError(`This is no tool call, but a '${context.getType<string>()}' context.`);
    }
    const { toolContext, args } = context.getArgs<unknown[]>()[INVOCATION_INDEX] as ToolInvocation;
    return new AiToolExecutionContext(toolContext, args);
  }

  /** The call of the model. */
  get toolCall(): ToolContext['toolCall'] {
    return this.toolContext.toolCall;
  }

  /**
   * What the caller works on, if it was given with `chatClient.prompt().request(…)`. The same as
   * `context.switchToHttp().getRequest()`.
   */
  getRequest<T = unknown>(): T | undefined {
    return this.toolContext.turn.request as T | undefined;
  }
}
