import { randomUUID } from 'node:crypto';
import { Inject, Logger, Optional } from '@nestjs/common';
import type { ContentRedactor } from '../model/content-redactor.js';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import { readSafely, type Type } from '@nestor-ai/schema';
import {
  causeOf,
  isA,
  ToolUnavailableException,
  type ToolExecutionException,
} from '../tool/tool-execution.exception.js';
import { errorForLog, publicMessage, toldMessage } from './error-text.js';

/** Decides how to handle a failed tool call. */
export abstract class ToolExecutionExceptionProcessor {
  /**
   * @returns the text for the model, as an error result
   * @throws an error to end the turn instead
   */
  abstract process(error: ToolExecutionException): string;
}

/** The options of {@link DefaultToolExecutionExceptionProcessor}. */
export interface ToolExecutionExceptionProcessorOptions {
  /** Whether every failure ends the turn with a `ToolExecutionException`. Default: false. */
  alwaysThrow?: boolean;
  /** Errors of these classes end the turn and reach the caller unchanged. */
  rethrow?: readonly Type<Error>[];
  /**
   * How much of an error the model sees. `message`: its message, never a stack or cause. `safe`:
   * only messages that are meant for callers: a `ToolExecutionException` that the tool throws
   * itself, invalid arguments, the response of an `HttpException`. All other errors are logged,
   * and the model only gets a reference. Default: `message`.
   */
  exposure?: 'message' | 'safe';
  /** Removes confidential content from the log. Default: none. */
  redactor?: ContentRedactor | undefined;
}

/**
 * The injection token for the options of a {@link DefaultToolExecutionExceptionProcessor} and its
 * subclasses.
 */
export const TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS: unique symbol = Symbol.for(
  'nestor.ToolExecutionExceptionProcessorOptions',
);

/** Sends the error message to the model, unless the options end the turn. */
export class DefaultToolExecutionExceptionProcessor extends ToolExecutionExceptionProcessor {
  protected readonly options: ToolExecutionExceptionProcessorOptions;
  readonly #logger = new Logger(DefaultToolExecutionExceptionProcessor.name);

  constructor(
    @Optional()
    @Inject(TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS)
    options: ToolExecutionExceptionProcessorOptions = {},
  ) {
    super();
    this.options = options;
  }

  /** A builder for the options. Called on a subclass, it builds that subclass. */
  static builder<Class extends MadeOfOptions<DefaultToolExecutionExceptionProcessor>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  process(error: ToolExecutionException): string {
    const cause = causeOf(error);
    // `rethrow` also applies to errors of guards, which the model does not see.
    const thrown = isA(cause, ToolUnavailableException) ? cause.cause : cause;
    if (this.options.rethrow?.some((type) => isA(thrown, type))) throw thrown;
    if (this.options.alwaysThrow) throw error;
    if (this.options.exposure === 'safe') return publicMessage(error) ?? this.#refer(error);
    const message = toldMessage(error);
    if (message.trim() !== '') return message;
    const name: unknown = isA(cause, Error) ? readSafely(() => cause.name) : undefined;
    const kind = typeof name === 'string' ? name : cause === null ? 'null' : typeof cause;
    return `Exception occurred in tool: ${error.toolDefinition.name} (${kind})`;
  }

  #refer(error: ToolExecutionException): string {
    const { name } = error.toolDefinition;
    const reference = randomUUID();
    const shown = errorForLog(causeOf(error), this.options.redactor, name);
    this.#logger.error(`The tool '${name}' failed (reference ${reference}): ${shown}`);
    return `The tool '${name}' failed. The cause is not shown; its reference is ${reference}.`;
  }
}
