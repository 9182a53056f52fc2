import { type JsonSchema, readSafely } from '@nestor-ai/schema';

const TOOL_INPUT_REQUIRED = Symbol.for('nestor.ToolInputRequired');

/** What a call waits for that the code of its tool has interrupted. True: the input of its user. */
type ThrownWait = true | 'result' | 'approval';

/** What a tool asks its user for in the middle of a call. */
export interface ToolInputRequest {
  /** The question, as plain text for the user. At most 4,000 characters. */
  readonly message: string;
  /**
   * The form: a JSON Schema of an object whose properties are texts, numbers, booleans, or lists
   * of these. At most 20,000 characters as JSON. Its patterns run in linear time, so they cannot
   * contain look-around or back-references. Default: no form; the user only agrees or declines.
   */
  readonly schema?: JsonSchema;
  /** The `http` or `https` address of a page where the user acts, instead of a form. */
  readonly url?: string;
  /**
   * What the tool needs to continue: JSON, at most 100,000 characters. It is kept with the
   * suspended turn and given back as `context.input.state`. Users, browsers, models and logs never
   * see it.
   */
  readonly state?: unknown;
}

/** The part of a {@link ToolInputRequest} that the user may see. */
export type ShownInputRequest = Omit<ToolInputRequest, 'state'>;

/** What the user has answered to a {@link ToolInputRequest}. */
export interface ToolUserInput {
  /** The fields of the form. Empty if the tool asked for no form. */
  readonly content: Readonly<Record<string, unknown>>;
  /** The `state` of the request. */
  readonly state?: unknown;
}

/**
 * Throw it in a tool to ask the user for input. The turn is suspended as for an approval, and the
 * response has the question in `pendingApprovals`. Once the user has answered, the tool is called
 * again with the same arguments, and finds the answer in `context.input`. What it did before it
 * asked happens again, so ask first and act afterwards.
 *
 * Nestor also recognizes it as the cause of a `ToolExecutionException`. If other code wraps it, or
 * an interceptor or filter handles it, the call ends as usual and nobody is asked.
 *
 * @example
 * if (!context.input) {
 *   throw new ToolInputRequiredException({
 *     message: 'Which seat?',
 *     schema: { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] },
 *   });
 * }
 * return this.book(context.input.content['seat']);
 */
export class ToolInputRequiredException extends Error {
  override readonly name = 'ToolInputRequiredException';
  // Private, so that logs of the error do not contain the state.
  readonly #request: ToolInputRequest;

  constructor(request: ToolInputRequest, /** @internal */ waitsFor: ThrownWait = true) {
    super('The tool asks its user for input. Only a turn of a ChatClient or a ToolCallingManager can wait for it.');
    this.#request = request;
    // Not enumerable, so that it is in no log either.
    Object.defineProperty(this, TOOL_INPUT_REQUIRED, { value: typeof waitsFor === 'string' ? waitsFor : true });
  }

  get request(): ToolInputRequest {
    return this.#request;
  }
}

/** What an error of a tool waits for, from any copy of this package. Undefined for other errors. */
export function waitOf(error: unknown): ThrownWait | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  // A proxy may have a value for every property.
  const mark = readSafely(() => (error as { [TOOL_INPUT_REQUIRED]?: unknown })[TOOL_INPUT_REQUIRED]);
  return mark === true || mark === 'result' || mark === 'approval' ? mark : undefined;
}

/** Whether an error is a {@link ToolInputRequiredException}, from any copy of this package. */
export function isInputRequired(error: unknown): error is ToolInputRequiredException {
  return waitOf(error) !== undefined;
}
