import { type ToolContext, ToolResult } from '@nestor-ai/core';
import { type DecoratedPlace, declareSideMethod } from '../calls/side-method.js';

/** The kind of the methods, for `ToolRegistry.handlers()`. */
export const COMPLETION_KIND = 'MCP completion';

/** The key of the declaration in the metadata of the method. */
export const COMPLETION_DECLARATION = 'mcpCompletion';

/** The most values of an answer, by the protocol. */
const MAX_VALUES = 100;

/**
 * Completes values of one argument: a list of all values, a method of the class by name, or a
 * function. Methods and functions receive what the user has typed, then the `ToolContext`;
 * `context.get('arguments')` has the arguments that are already known. At most 100 values are sent.
 */
export type McpCompletion = readonly string[] | string | ((value: string, context: ToolContext) => unknown);

/** The completions of arguments, by name. */
export type McpCompletions = Readonly<Record<string, McpCompletion>>;

/** The resource or prompt that a completion belongs to. */
export interface CompletedThing {
  readonly type: 'resource' | 'prompt';
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** What a completion completes, in the metadata of its method. */
export interface CompletionDeclaration extends Pick<CompletedThing, 'type' | 'name'> {
  readonly argument: string;
}

/** What clients receive. */
export interface CompletionValues {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** Declares the methods that complete arguments of a method. */
export function declareCompletions(place: DecoratedPlace, complete: McpCompletions, thing: CompletedThing): void {
  const { type, name, metadata } = thing;
  for (const [argument, completion] of Object.entries(complete)) {
    const side = isList(completion) ? (value: string) => startingWith(completion, value) : completion;
    const declaration: CompletionDeclaration = { type, name, argument };
    declareSideMethod(place, side, `completion of '${argument}'`, {
      kind: COMPLETION_KIND,
      name: `${type}:${name}:${argument}`,
      inputType: String,
      effect: 'read',
      resultConverter: { convert: toValues },
      metadata: { ...metadata, [COMPLETION_DECLARATION]: declaration },
    });
  }
}

function isList(completion: McpCompletion): completion is readonly string[] {
  return Array.isArray(completion);
}

function startingWith(values: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(start));
}

function toValues(returned: unknown): ToolResult {
  if (!Array.isArray(returned)) throw new TypeError('A completion has to return an array of values.');
  const value: CompletionValues = {
    values: returned.slice(0, MAX_VALUES).map(String),
    total: returned.length,
    hasMore: returned.length > MAX_VALUES,
  };
  return new ToolResult({ text: `${returned.length} values`, value });
}
