import {
  compileValidator,
  isJsonObject,
  issuesIn,
  type JsonSchema,
  linearPatternOf,
  readSafely,
  ToolInputException,
} from '@nestor-ai/schema';

/** The maximum length of a user's input as JSON, in characters. */
const MAX_INPUT = 100_000;

/** The maximum number of violations that are reported, and of characters of a field's name. */
const MAX_TOLD = 20;
const MAX_NAME = 60;

/** The user's input, or why it cannot be accepted. */
export type ReadInput = { readonly content: Record<string, unknown> } | { readonly problems: readonly string[] };

/**
 * Checks what a user has entered into a form. It comes from a browser, so nothing about it is
 * known. Values are not converted: a number has to be a number.
 *
 * @param schema the form. Undefined if there is none, and the input has to be empty
 */
export function readUserInput(given: unknown, schema: JsonSchema | undefined): ReadInput {
  const text = readSafely(() => JSON.stringify(given));
  const content: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isJsonObject(content)) return { problems: ['the input must be an object of plain JSON'] };
  if (text!.length > MAX_INPUT) return { problems: [`the input has more than ${MAX_INPUT} characters as JSON`] };
  const unknown = Object.keys(content).filter((name) => !isFieldOf(schema, name));
  const problems = unknown.map((name) => `'${cut(name)}' is not a field of the form`);
  if (schema && problems.length === 0) problems.push(...violationsOf(content, schema));
  return problems.length === 0 ? { content } : { problems: told(problems) };
}

function isFieldOf(schema: JsonSchema | undefined, name: string): boolean {
  return schema !== undefined && Object.hasOwn(schema['properties'] as object, name);
}

function violationsOf(content: unknown, schema: JsonSchema): readonly string[] {
  try {
    return issuesIn(content, compileValidator(schema, linearPatternOf)).map(({ message }) => message);
  } catch (error) {
    if (error instanceof ToolInputException) return error.issues.map(({ message }) => message);
    throw error;
  }
}

function told(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_TOLD;
  return more > 0 ? [...problems.slice(0, MAX_TOLD), `and ${more} more`] : problems;
}

function cut(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
