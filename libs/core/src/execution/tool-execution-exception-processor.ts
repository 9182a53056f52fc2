import { Inject, Optional } from '@nestjs/common';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import type { ToolExecutionException } from '../tool/tool-execution.exception.js';
import type { Type } from '../tool/type.js';

/** Decides what becomes of a failed tool call. */
export abstract class ToolExecutionExceptionProcessor {
  /**
   * @returns what the model is told, as an error result
   * @throws to end the turn instead
   */
  abstract process(error: ToolExecutionException): string;
}

/** The options of {@link DefaultToolExecutionExceptionProcessor}. */
export interface ToolExecutionExceptionProcessorOptions {
  /** Every failure ends the turn with a `ToolExecutionException`. Default: false. */
  alwaysThrow?: boolean;
  /** Causes of these classes end the turn and reach the caller as they were thrown. */
  rethrow?: readonly Type<Error>[];
}

/** Where the container keeps the options of a {@link DefaultToolExecutionExceptionProcessor} and its subclasses. */
export const TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS: unique symbol = Symbol.for(
  'nestor.ToolExecutionExceptionProcessorOptions',
);

/** Tells the model the message of the error, unless the options say to throw. */
export class DefaultToolExecutionExceptionProcessor extends ToolExecutionExceptionProcessor {
  protected readonly options: ToolExecutionExceptionProcessorOptions;

  constructor(
    @Optional()
    @Inject(TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS)
    options: ToolExecutionExceptionProcessorOptions = {},
  ) {
    super();
    this.options = options;
  }

  /** The options made fluent; of a subclass, it builds that. */
  static builder<T extends DefaultToolExecutionExceptionProcessor>(
    this: new (options: ToolExecutionExceptionProcessorOptions) => T,
  ): FluentBuilder<ToolExecutionExceptionProcessorOptions, T> {
    return fluentBuilder((options: ToolExecutionExceptionProcessorOptions) => new this(options));
  }

  process(error: ToolExecutionException): string {
    const { cause } = error;
    if (this.options.rethrow?.some((type) => cause instanceof type)) throw cause;
    if (this.options.alwaysThrow) throw error;
    if (error.message.trim() !== '') return error.message;
    const kind = cause instanceof Error ? cause.name : cause === null ? 'null' : typeof cause;
    return `Exception occurred in tool: ${error.toolDefinition.name} (${kind})`;
  }
}
