import {
  checkSchema,
  checkSchemaWork,
  compileValidator,
  isJsonObject,
  issuesIn,
  type JsonSchema,
  linearPatternOf,
} from '@nestor-ai/schema';
import type { ShownInputRequest, ToolInputRequest } from '../../model/tool-input-request.js';

/** In characters. */
const MAX_MESSAGE = 4_000;
const MAX_SCHEMA = 20_000;
const MAX_URL = 2_000;
const MAX_STATE = 100_000;

/** The types of a field. A list has items of one of the others. */
const SIMPLE_TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** A tool asks its user for input with a request that cannot be shown, stored or checked. */
export class InvalidInputRequestException extends Error {
  override readonly name = 'InvalidInputRequestException';
}

/**
 * Checks what a tool asks its user for, and returns a plain copy, as it is stored. Nestor calls it
 * for each `ToolInputRequiredException`, and treats all requests as if they came from strangers. A
 * tool that passes on what another server asks can call it first, to answer with its own error.
 *
 * @param given the request, which may be anything
 * @throws InvalidInputRequestException that names the problem, without any text of the request
 */
export function checkInputRequest(given: unknown): ToolInputRequest {
  if (!isJsonObject(given)) refuse('the request is not an object');
  const { message, schema, url, state } = given;
  if (typeof message !== 'string' || message.trim() === '') refuse('the request has no message');
  if (message.length > MAX_MESSAGE) refuse(`the message has more than ${MAX_MESSAGE} characters`);
  if (schema !== undefined && url !== undefined) refuse('the request has a schema and a url: leave out one of them');
  return {
    message,
    ...(schema !== undefined && { schema: checkedForm(schema) }),
    ...(url !== undefined && { url: checkedUrl(url) }),
    ...(state !== undefined && { state: jsonCopy(state, 'state', MAX_STATE) }),
  };
}

/** The part of a request that the user may see. */
export function shownRequest({ state: _state, ...shown }: ToolInputRequest): ShownInputRequest {
  return shown;
}

/**
 * A copy of a value as JSON.
 *
 * @param what names the value in errors
 * @param limit the maximum length as JSON, in characters
 * @throws InvalidInputRequestException for a value that is not JSON or too long
 */
export function jsonCopy(value: unknown, what: string, limit: number): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Reported below, like a value that JSON does not have.
  }
  if (text === undefined) refuse(`the ${what} is not JSON`);
  if (text.length > limit) refuse(`the ${what} has more than ${limit} characters as JSON`);
  return JSON.parse(text);
}

function checkedForm(given: unknown): JsonSchema {
  if (!isJsonObject(given)) refuse('the schema is not an object');
  const schema = jsonCopy(given, 'schema', MAX_SCHEMA) as JsonSchema;
  const { type, properties } = schema;
  if (type !== 'object' || !isJsonObject(properties)) refuse('the schema needs type "object" and properties');
  for (const [name, field] of Object.entries(properties)) {
    // The code that receives the form could change the prototype of an object with it.
    if (name === '__proto__') refuse('the schema has a field with the name __proto__');
    if (!isField(field)) {
      refuse('a field of the schema is not a text, a number, a boolean or a list of these: its type has to say so');
    }
  }
  try {
    checkSchema(schema, linearPatternOf);
    checkSchemaWork(schema);
    // Compiles it. Otherwise no answer of the user could be accepted.
    issuesIn({}, compileValidator(schema, linearPatternOf));
  } catch (cause) {
    throw new InvalidInputRequestException(
      'The tool asks its user for input, but the schema of the form cannot be enforced.',
      { cause },
    );
  }
  return schema;
}

function isField(field: unknown): boolean {
  if (!isJsonObject(field)) return false;
  const { type, items } = field;
  if (SIMPLE_TYPES.includes(type)) return true;
  if (type !== 'array' || !isJsonObject(items)) return false;
  // Choices with titles are lists of constants.
  return SIMPLE_TYPES.includes(items['type']) || isChoice(items['anyOf']) || isChoice(items['oneOf']);
}

function isChoice(alternatives: unknown): boolean {
  return (
    Array.isArray(alternatives) &&
    alternatives.length > 0 &&
    alternatives.every((one) => isJsonObject(one) && typeof one['const'] === 'string')
  );
}

function checkedUrl(url: unknown): string {
  if (typeof url !== 'string' || url.length > MAX_URL || !URL.canParse(url)) {
    refuse(`the url is not a valid address of at most ${MAX_URL} characters`);
  }
  const { protocol, username, password } = new URL(url);
  if (!['http:', 'https:'].includes(protocol)) refuse('the url has to start with https: or http:');
  // In https://bank.com@example.com, users take the name for the host.
  if (username !== '' || password !== '') refuse('the url must not contain a user name or password');
  return url;
}

function refuse(problem: string): never {
  throw new InvalidInputRequestException(`The tool asks its user for input, but ${problem}.`);
}
