import type { Awaitable } from '../model/awaitable.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import type { ToolResult } from '../model/tool-result.js';
import type { ToolHandler } from './declaration/decorated-handler.js';
import type { ToolInputSources, ToolParameter } from '@nestor-ai/schema';

/** Identifies a tool, regardless of the name and description under which it is offered. */
export interface ToolId {
  /** The object that has the tool. A tool that is not a method is its own owner. */
  readonly owner: object;
  /** The declared name of the tool. */
  readonly name: string;
}

/** The method behind a tool. */
export interface ToolMethodPlace {
  /**
   * The instance, or the class of a static method. Undefined if the container creates the
   * instance.
   */
  readonly object: object | undefined;
  /** The prototype that declares the method, or the class of a static method. */
  readonly target: object;
  readonly methodName: string;
  /** The parameters whose values come from the model. */
  readonly parameters: readonly ToolParameter[];
  readonly sources: ToolInputSources;
}

/** The raw arguments of a call. */
export interface ToolArguments {
  /** The arguments as the model wrote them. */
  readonly text: string;
  /** The tool definition that the model received. */
  readonly definition: ToolDefinition;
}

/**
 * All data and functions of one tool. A call runs `parse`, `run` and `convert`; a container adds
 * its own steps in `around`.
 */
export interface ToolRecord {
  readonly id: ToolId;
  /** Where the tool is declared, for developer messages: `WeatherTools.getWeather()`. */
  readonly origin: string;
  /** Undefined for a tool that is not a method. */
  readonly method: ToolMethodPlace | undefined;
  /** Carries the metadata for guards of a tool that is not a method. Undefined if it has none. */
  readonly handler: ToolHandler | undefined;
  readonly definition: ToolDefinition;
  readonly metadata: ToolMetadata;
  /** The tool that this one was derived from. Its approval and visibility rules apply too. */
  readonly base: ToolRecord | undefined;
  /** Set by the container if it calls the code. */
  readonly around: ToolAround | undefined;

  /**
   * Validates and transforms the arguments. Undefined for a tool that parses them itself.
   *
   * @throws ToolInputException that lists every violation
   */
  readonly parse?: ((json: unknown, call: ToolArguments) => unknown) | undefined;

  /**
   * Like {@link parse}, for JSON Schemas from strangers: its patterns run in linear time.
   * Undefined if there is no such schema.
   */
  readonly parseForeign?: ToolRecord['parse'];

  /**
   * Runs once, after guards, validation and approval, before the code runs for the first time. An
   * error fails the call.
   */
  readonly begin?: ((call: ToolArguments) => Awaitable<unknown>) | undefined;

  /** Arranges the arguments as the code receives them, for code that reads them before the call. */
  toArguments(input: unknown, context: ToolContext): readonly unknown[];

  /**
   * Runs the code.
   *
   * @param input the result of `parse`; without `parse`, the text that the model wrote
   */
  run(input: unknown, context: ToolContext): unknown;

  /** Converts the result of the code to the text that the model reads. */
  convert(result: unknown): Awaitable<string | ToolResult>;

  /** @throws Error when the tool cannot be offered to a model */
  verify(): void;
}

/** The steps of a container around tool calls. */
export interface ToolAround {
  /**
   * Prepares the tool for a call. A request-scoped provider gets the instance that belongs to the
   * turn.
   */
  enter(record: ToolRecord, context: ToolContext): Awaitable<EnteredTool>;
}

/** A tool that is ready for one call. */
export interface EnteredTool {
  /** Like `run` of {@link ToolRecord}, with pipes. */
  run(record: ToolRecord, input: unknown, context: ToolContext): unknown;

  /**
   * Runs guards, `steps.admit()`, and the interceptors with `steps.execute()` inside; filters
   * handle errors. Undefined if the container has none of them.
   */
  surround?(steps: ToolSteps): Promise<unknown>;
}

/** The steps of a call that a container wraps. */
export interface ToolSteps {
  readonly context: ToolContext;
  readonly definition: ToolDefinition;
  readonly metadata: ToolMetadata;
  /** The arguments: parsed JSON before validation, the validated input after it. */
  readonly input: unknown;
  /** The arguments as the code receives them. */
  readonly args: unknown[];
  /** How often the code has run, or has begun to. */
  readonly tries: number;
  /** Validates the arguments. False if the call must wait: then nothing may run. */
  admit(): Awaitable<boolean>;
  /** Runs the code. */
  execute(): Awaitable<unknown>;
}

/** The key under which a tool of this package stores its record. */
export const TOOL_RECORD: unique symbol = Symbol.for('nestor.ToolRecord');

/** The tool at the end of the chain of base tools. */
export function baseOf(record: ToolRecord): ToolRecord {
  return record.base ? baseOf(record.base) : record;
}
