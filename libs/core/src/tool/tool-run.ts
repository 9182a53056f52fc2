import { type Awaitable, isPromise } from '../model/awaitable.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { isInputRequired } from '../model/tool-input-request.js';
import { ToolResult } from '../model/tool-result.js';
import { isJsonObject, parseToolInput } from '@nestor-ai/schema';
import { type EndsLater, isStream, settle, settleResult } from './result/settle-result.js';
import { checkOutput } from './result/check-output.js';
import { toToolExecutionException } from './tool-execution.exception.js';
import type { EnteredTool, ToolArguments, ToolRecord, ToolSteps } from './tool-record.js';

/** The result of a call that waits: the tool has not run. */
export const WAITS: unique symbol = Symbol('nestor.Waits');

/**
 * One tool call: parses the arguments, lets the container run its guards, validates, runs the code
 * inside the container's interceptors, and converts the result. The tool calling manager adds
 * steps, see `execution/call-pipeline.ts`.
 */
export class ToolRun implements ToolSteps, ToolArguments {
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
    protected readonly record: ToolRecord,
    /** The arguments as JSON text. */
    public text: string,
    readonly context: ToolContext,
  ) {}

  /**
   * @throws ToolExecutionException when a step fails; ToolInputRequiredException when the tool asks
   *   its user for input
   */
  async answer(): Promise<string | ToolResult | typeof WAITS> {
    const { record, context } = this;
    try {
      try {
        const reading = this.read();
        this.#input = isPromise(reading) ? await reading : reading;
      } catch (error) {
        this.#unreadable = error;
      }
      if (record.around) {
        const entering = record.around.enter(record, context);
        this.#entered = isPromise(entering) ? await entering : entering;
      }
      const running = this.#start();
      let result = isPromise(running) ? await running : running;
      if (result === WAITS) return WAITS;
      if (isStream(result)) result = await settle(result, context);
      const converting = record.convert(result);
      return this.finish(isPromise(converting) ? await converting : converting, result);
    } catch (error) {
      throw isInputRequired(error) ? error : toToolExecutionException(record.definition, error);
    }
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
    // Without interceptors, `answer` waits for the result.
    return this.#entered?.surround ? this.runCode() : this.start();
  }

  /**
   * Runs the code once. A stream runs to its last item.
   *
   * @param endsLater receives the promise that the code still waits for when its result is given
   * up
   */
  async runCode(endsLater?: EndsLater): Promise<unknown> {
    const result = await settleResult(this.start(), this.context, endsLater);
    this.answered(result);
    return result;
  }

  /**
   * Parses the arguments as JSON. A tool that parses them itself receives the text.
   *
   * @throws ToolInputException when they are not valid JSON
   */
  protected read(): Awaitable<unknown> {
    return this.record.parse ? parseToolInput(this.text) : this.text;
  }

  /**
   * Checks the result of the code.
   *
   * @returns the converted result, with what the caller needs of the original
   */
  protected finish(converted: string | ToolResult, result: unknown): string | ToolResult {
    const { record } = this;
    const { outputSchema } = record.definition;
    if (outputSchema) checkOutput(record, result);
    // A caller who receives the result instead of the model's answer may need more than its text.
    const isRead = outputSchema !== undefined || record.metadata.returnDirect;
    return isRead && record.parse ? withValue(converted, result) : converted;
  }

  /** Whether the call is approved, or needs no approval. */
  protected mayRun(): Awaitable<boolean> {
    return true;
  }

  /** Called with the result of the code, before interceptors can change it. */
  protected answered(_result: unknown): void {}

  /** Calls the code. */
  protected start(): unknown {
    return this.record.begin ? this.#runBegun() : this.#runNow();
  }

  async #runBegun(): Promise<unknown> {
    await (this.#beginning ??= this.#begin());
    this.context.signal.throwIfAborted();
    return this.#runNow();
  }

  /** Retries of the code share the same begin. */
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

  #start(): Awaitable<unknown> {
    if (this.#entered?.surround) return this.#entered.surround(this);
    const admitted = this.admit();
    return isPromise(admitted) ? this.#goWhen(admitted) : this.#go(admitted);
  }

  async #goWhen(admitted: Promise<boolean>): Promise<unknown> {
    return this.#go(await admitted);
  }

  #go(isAdmitted: boolean): Awaitable<unknown> {
    return isAdmitted ? this.execute() : WAITS;
  }

  async #admitWhen(parsed: Promise<unknown>): Promise<boolean> {
    return this.#admitValidated(await parsed);
  }

  #admitValidated(input: unknown): Awaitable<boolean> {
    this.#input = input;
    this.#isValidated = true;
    return this.mayRun();
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
