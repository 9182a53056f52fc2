import type { ExecutionContext } from '@nestjs/common';
import type { CallApproval } from '../../model/call-approval.js';
import type { ToolContext } from '../../model/tool-context.js';
import type { ToolDefinition } from '../../model/tool-definition.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { ToolSteps } from '../../tool/tool-record.js';
import { AI_TOOL_CONTEXT_TYPE, INVOCATION_INDEX, type ToolInvocation } from './tool-invocation.js';

/**
 * The tool call that a guard, interceptor or filter handles.
 *
 * @example
 * canActivate(context: ExecutionContext) {
 *   if (!AiToolExecutionContext.is(context)) return true;
 *   return AiToolExecutionContext.of(context).toolContext.get('role') === 'admin';
 * }
 */
export class AiToolExecutionContext {
  private constructor(private readonly steps: ToolSteps) {}

  /**
   * Whether the context is a tool call. A guard for HTTP endpoints has to decide whether to allow
   * other contexts.
   */
  static is(context: Pick<ExecutionContext, 'getType'>): boolean {
    return context.getType<string>() === AI_TOOL_CONTEXT_TYPE;
  }

  /** @throws TypeError if it is not a tool call */
  static of(context: Pick<ExecutionContext, 'getType' | 'getArgs'>): AiToolExecutionContext {
    if (!AiToolExecutionContext.is(context)) {
      throw new TypeError(
        `This is not a tool call, but a '${context.getType<string>()}' context. Check AiToolExecutionContext.is(context) first.`,
      );
    }
    return new AiToolExecutionContext((context.getArgs<unknown[]>()[INVOCATION_INDEX] as ToolInvocation).steps);
  }

  /** The tool context of the call. */
  get toolContext(): ToolContext {
    return this.steps.context;
  }

  /** The tool's name for the model. */
  get toolName(): string {
    return this.steps.definition.name;
  }

  /** The tool's definition for the model. */
  get toolDefinition(): ToolDefinition {
    return this.steps.definition;
  }

  /** The tool's metadata for the application: its policies and `@Tool({ metadata })`. */
  get toolMetadata(): ToolMetadata {
    return this.steps.metadata;
  }

  /**
   * The arguments by name. Guards see the JSON of the model before validation. Interceptors see
   * the validated arguments, such as an instance of a DTO. For a `ToolCallback` that reads its
   * arguments itself, this is their text.
   */
  get input(): unknown {
    return this.steps.input;
  }

  /**
   * {@link input} as the arguments of the method: before validation in guards, after it in
   * interceptors. An interceptor may replace an argument (`args[0] = …`). It is not validated
   * again.
   *
   * @throws TypeError if a guard replaces an argument, or if an argument that Nestor fills in is
   *   replaced
   */
  get args(): unknown[] {
    return this.steps.args;
  }

  /** The tool call of the model. */
  get toolCall(): ToolContext['toolCall'] {
    return this.toolContext.toolCall;
  }

  /** The subject of the turn, from `TurnPrincipal`. Undefined if it is not known. */
  get requester(): string | undefined {
    return this.toolContext.turn.requester;
  }

  /** Who approved the call and what they changed. Undefined if the call needed no approval. */
  get approval(): CallApproval | undefined {
    return this.toolContext.approval;
  }

  /**
   * The caller's request from `chatClient.prompt().request(…)`, if there is one. Same as
   * `context.switchToHttp().getRequest()`.
   */
  getRequest<T = unknown>(): T | undefined {
    return this.toolContext.turn.request as T | undefined;
  }
}
