import { type Awaitable, isPromise } from '../model/awaitable.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { isInputRequired } from '../model/tool-input-request.js';
import { isResultLike, ToolResult } from '../model/tool-result.js';
import { isJsonObject, parseToolInput } from '@nestor-ai/schema';
import { isStream, settle, settleResult } from './result/settle-result.js';
import { checkOutput } from './result/check-output.js';
import { toToolResult } from './result/to-tool-result.js';
import { toToolExecutionException } from './tool-execution.exception.js';
import type { EnteredTool, ToolArguments, ToolRecord, ToolSteps } from './tool-record.js';

/** The result of a call that waits: the tool has not run. */
export const WAITS: unique symbol = Symbol('nestor.Waits');

/** What a turn adds to a call. A step is only entered where its flag says so. */
export interface CallSteps {
  readonly hasPolicies: boolean;
  /** Whether {@link begin} has to be awaited before the code runs. */
  readonly isRecorded: boolean;
  /** Whether the turn has to know of a call before its code runs. */
  readonly isHeld: boolean;
  /**
   * The arguments of a call that are no JSON.
   *
   * @throws the error if they cannot be repaired
   */
  repair(error: unknown): Promise<unknown>;
  /** Decides about a call whose arguments are valid. False: it waits, and nothing runs. */
  mayRun(): Awaitable<boolean>;
  /** Runs the code by the policies of the tool. */
  execute(): Promise<unknown>;
  /** Called before the code runs, at each try. */
  begin(): Promise<void>;
}

/**
 * One tool call: parses the arguments, lets the container run its guards, validates, runs the code
 * inside the container's interceptors, and converts the result. Without {@link CallSteps}, this is
 * all. What a turn adds is in `execution/pipeline-call.ts`.
 */
export class ToolRun implements ToolSteps, ToolArguments {
  /** The number of times the code ran: several after retries, 0 if it did not run. */
  tries = 0;
  /** Whether the call was stopped: nothing of it may start any more. */
  isGivenUp = false;
  /** Whether the tool marked its result as untrusted. Interceptors and filters cannot change it. */
  isUntrusted = false;
  /** Whether the code returned a `ToolResult`. */
  #isToolResult = false;
  /** The running code, which may continue after the call was stopped. */
  code: Promise<unknown> | undefined;
  /** Resolves when the generator of the code, which was stopped, has closed. */
  closing: Promise<unknown> | undefined;
  /** The arguments as JSON. After validation, the result of `parse`. */
  #input: unknown;
  #isValidated = false;
  /** The parse error. Validation throws it, because guards decide first and filters must see it. */
  #unreadable: unknown;
  /** The copy of the arguments for guards. Changing it does not change the call. */
  #shown: unknown;
  #beginning: Promise<void> | undefined;
  /** The tool as the container prepared it for this call. */
  #entered: EnteredTool | undefined;

  constructor(
    private readonly record: ToolRecord,
    /** The arguments as JSON text. */
    public text: string,
    readonly context: ToolContext,
    private readonly steps?: CallSteps,
  ) {}

  /**
   * @throws ToolExecutionException when a step fails; ToolInputRequiredException when the tool asks
   *   its user for input
   */
  async answer(): Promise<string | ToolResult | typeof WAITS> {
    const { record, context } = this;
    try {
      try {
        // A tool that parses its arguments itself receives the text.
        this.#input = record.parse ? parseToolInput(this.text) : this.text;
      } catch (error) {
        await this.#repair(error);
      }
      if (record.around) {
        const entering = record.around.enter(record, context);
        this.#entered = isPromise(entering) ? await entering : entering;
      }
      const running = this.#entered?.surround ? this.#entered.surround(this) : this.#runAlone();
      let result = isPromise(running) ? await running : running;
      if (result === WAITS) return WAITS;
      if (isStream(result)) result = await settle(result, context);
      // Nest's ClassSerializerInterceptor makes a plain object of it.
      if (this.#isToolResult && !ToolResult.isToolResult(result) && isResultLike(result)) result = toToolResult(result);
      const converting = record.convert(result);
      return this.#finish(isPromise(converting) ? await converting : converting, result);
    } catch (error) {
      throw isInputRequired(error) ? error : toToolExecutionException(record.definition, error);
    }
  }

  /** Answers with the result of code that has ended before. */
  async answerWith(result: unknown): Promise<string | ToolResult> {
    this.noteResult(result);
    return this.#finish(await this.record.convert(result), result);
  }

  get definition(): ToolDefinition {
    return this.record.definition;
  }

  get metadata(): ToolMetadata {
    return this.record.metadata;
  }

  get input(): unknown {
    if (this.#isValidated || !this.record.parse) return this.#input;
    // If the input is not an object, validation will refuse it.
    return (this.#shown ??= isJsonObject(this.#input) ? structuredClone(this.#input) : {});
  }

  get args(): unknown[] {
    return replaceable(this.record.toArguments(this.input, this.context), (index, value) =>
      this.#replace(index, value),
    );
  }

  admit(): Awaitable<boolean> {
    if (this.#unreadable !== undefined) throw this.#unreadable;
    const { parse } = this.record;
    if (!parse) return this.#admitValidated(this.#input);
    const parsed = parse.call(this.record, this.#input, this);
    return isPromise(parsed) ? this.#admitWhen(parsed) : this.#admitValidated(parsed);
  }

  execute(): Awaitable<unknown> {
    this.throwIfGivenUp();
    if (this.steps?.hasPolicies) return this.steps.execute();
    // Without interceptors, `answer` waits for the result.
    return this.#entered?.surround ? this.runCode() : this.#start();
  }

  /** Runs the code once. A stream runs to its last item. */
  runCode(): Promise<unknown> {
    return (this.code = this.#runCode());
  }

  /** Reads the mark of a result, before interceptors can change it. */
  noteResult(result: unknown): void {
    this.#isToolResult = ToolResult.isToolResult(result);
    // An object shaped like a result only counts as one if the tool parses its input and formats
    // its output itself.
    const isResult = this.record.parse ? this.#isToolResult : isResultLike(result);
    if (isResult && (result as ToolResult).untrusted) this.isUntrusted = true;
  }

  /** Stops a call that was stopped while a guard was still running. */
  throwIfGivenUp(): void {
    if (this.isGivenUp) throw new Error(`The call of '${this.record.definition.name}' was stopped.`);
  }

  async #repair(error: unknown): Promise<void> {
    try {
      if (!this.steps) throw error;
      this.#input = await this.steps.repair(error);
    } catch (unreadable) {
      this.#unreadable = unreadable;
    }
  }

  async #runCode(): Promise<unknown> {
    const result = await settleResult(this.#start(), this.context, this);
    this.noteResult(result);
    return result;
  }

  /** Checks the result of the code, and adds what the caller needs of it. */
  #finish(converted: string | ToolResult, result: unknown): string | ToolResult {
    const { record } = this;
    const { outputSchema } = record.definition;
    if (outputSchema) checkOutput(record, result);
    // A caller who receives the result instead of the model's answer may need more than its text.
    const isRead = outputSchema !== undefined || record.metadata.returnDirect;
    return isRead && record.parse ? withValue(converted, result) : converted;
  }

  /** Calls the code. */
  #start(): unknown {
    if (this.record.begin || this.steps?.isRecorded) return this.#startLater();
    this.tries++;
    return this.#runNow();
  }

  async #startLater(): Promise<unknown> {
    // A later attempt has its own signal.
    const { signal } = this.context;
    if (this.steps?.isRecorded) {
      await this.steps.begin();
      this.throwIfGivenUp();
      signal.throwIfAborted();
    }
    this.tries++;
    if (this.record.begin) {
      // Retries of the code share the same begin.
      await (this.#beginning ??= this.#begin());
      this.context.signal.throwIfAborted();
    }
    return this.#runNow();
  }

  async #begin(): Promise<void> {
    await this.record.begin!(this);
  }

  #runNow(): unknown {
    const { record, context } = this;
    return this.#entered ? this.#entered.run(record, this.#input, context) : record.run(this.#input, context);
  }

  /** @throws TypeError with the remedy, for an argument that cannot be replaced */
  #replace(index: number, value: unknown): void {
    const { method, definition } = this.record;
    if (!this.#isValidated) {
      throw new TypeError(
        `A guard cannot replace the arguments of the tool '${definition.name}', because they are not validated yet. Replace them in an interceptor or a pipe.`,
      );
    }
    const parameter: { readonly name?: string } | undefined = method
      ? method.parameters.find((one) => one.index === index)
      : [{}][index];
    if (!parameter) {
      throw new TypeError(
        `Argument ${index} of the tool '${definition.name}' does not come from the model, so it cannot be replaced. Pass values to tools with toolContext({ … }).`,
      );
    }
    if (parameter.name === undefined) this.#input = value;
    else (this.#input as Record<string, unknown>)[parameter.name] = value;
  }

  /** The steps after the guards, without a container around them. */
  #runAlone(): Awaitable<unknown> {
    const admitted = this.admit();
    if (isPromise(admitted)) return this.#runWhen(admitted);
    return admitted ? this.execute() : WAITS;
  }

  async #runWhen(admitted: Promise<boolean>): Promise<unknown> {
    return (await admitted) ? this.execute() : WAITS;
  }

  async #admitWhen(parsed: Promise<unknown>): Promise<boolean> {
    return this.#admitValidated(await parsed);
  }

  #admitValidated(input: unknown): Awaitable<boolean> {
    this.#input = input;
    this.#isValidated = true;
    this.throwIfGivenUp();
    const { steps } = this;
    return steps && (steps.hasPolicies || steps.isHeld) ? steps.mayRun() : true;
  }
}

/** Returns a copy of a list that reports replaced items. */
function replaceable(values: readonly unknown[], replace: (index: number, value: unknown) => void): unknown[] {
  const current = [...values];
  const list: unknown[] = [];
  for (const index of current.keys()) {
    Object.defineProperty(list, index, {
      enumerable: true,
      get: () => current[index],
      set: (value: unknown) => {
        replace(index, value);
        current[index] = value;
      },
    });
  }
  return Object.preventExtensions(list);
}

function withValue(converted: string | ToolResult, value: unknown): string | ToolResult {
  if (value === undefined || value === converted || ToolResult.isToolResult(value)) return converted;
  const result = typeof converted === 'string' ? new ToolResult({ text: converted }) : new ToolResult(converted);
  return result.value === undefined ? result.with({ value }) : result;
}
