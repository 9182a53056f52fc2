import type { Awaitable } from '../model/awaitable.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { SerialQueue } from '../model/serial-queue.js';
import { runsWithRunner, type ToolCallback } from '../model/tool-callback.js';
import { ToolContext, type ToolContextInit } from '../model/tool-context.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { ToolResult } from '../model/tool-result.js';
import type { TurnContext } from '../model/turn-context.js';
import { parseJson } from '../tool/input/parse-json.js';
import { ToolInputException } from '../tool/input/tool-input.js';
import { toJsonText } from '../tool/result/to-json-text.js';
import { CompiledPolicies, PolicyRunner } from './policy-runner.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import { withTimeout } from './with-timeout.js';

/** What became of a call. */
export interface AnsweredCall {
  /** Undefined when the call waits for approval. */
  readonly response?: ToolResponse;
  /** The call, when it is not as the model wrote it any more. */
  readonly changed?: ToolCall;
  readonly returnDirect: boolean;
}

/** What a {@link ToolCallRunner} works with. */
export interface ToolCallRunnerOptions {
  readonly timeout?: number | undefined;
  readonly argumentRepair?: ToolArgumentRepair | undefined;
  readonly policiesOf?: ((toolName: string) => ToolPolicies | undefined) | undefined;
}

/** One call that is about to be run. */
export interface RunnableToolCall {
  readonly call: ToolCall;
  readonly callback: ToolCallback;
  readonly prompt: Prompt;
  readonly turn: TurnContext;
  readonly isApproved: boolean;
  /** The model's answer was cut off, and with it maybe the arguments. */
  readonly isCutOff: boolean;
  /** The arguments were put right already. */
  readonly isRepaired?: boolean;
}

interface FoundPolicies {
  readonly timeout?: number | undefined;
  /** Undefined for the many tools that have no policies. */
  readonly compiled?: CompiledPolicies;
}

/** Runs single calls, as the policies of their tools say. */
export class ToolCallRunner {
  readonly #policies = new WeakMap<object, Map<string, FoundPolicies>>();
  readonly #queue = new SerialQueue();

  constructor(private readonly options: ToolCallRunnerOptions) {}

  /** @throws what the tool throws */
  async run({ call, callback, prompt, turn, isApproved }: RunnableToolCall): Promise<AnsweredCall> {
    const { timeout, compiled } = this.#policiesOf(callback, call.name);
    const init: ToolContextInit = { toolCall: call, history: prompt.messages, turn };
    if (turn.isWatched) {
      const toolCall = { id: call.id, name: call.name };
      init.onProgress = (value) => turn.emit({ type: 'tool-progress', toolCall, value });
    }
    const context = new ToolContext(prompt.options?.toolContext, init);
    const input = toInputText(call.arguments);
    const returnDirect = callback.toolMetadata?.returnDirect ?? false;
    if (compiled) {
      const runner = new PolicyRunner(compiled, {
        toolName: call.name,
        args: parseJson(input),
        context,
        init,
        turn,
        isApproved,
      });
      init.runner = runner;
      try {
        return toAnswer(call, await callWithRunner(callback, input, context, runner), returnDirect);
      } catch (error) {
        if (!runner.isPending) throw error;
      }
      return { returnDirect: false };
    }
    if (!turn.isAbortable && timeout === undefined)
      return toAnswer(call, await callback.call(input, context), returnDirect);
    const result = await withTimeout(call.name, timeout, turn.signal, async (signal) => {
      init.signal = signal;
      return callback.call(input, context);
    });
    return toAnswer(call, result, returnDirect);
  }

  /** The call with arguments that were put right, when it has failed because they are no JSON. */
  async repaired(
    { call, callback, isCutOff, isRepaired }: RunnableToolCall,
    error: unknown,
  ): Promise<ToolCall | undefined> {
    const { argumentRepair } = this.options;
    const { cause = error } = (error ?? {}) as Error;
    if (!argumentRepair || isCutOff || isRepaired || !(cause instanceof ToolInputException) || !cause.isSyntax)
      return undefined;
    const text = await argumentRepair.repair({ toolDefinition: callback.toolDefinition, arguments: call.arguments });
    return text === undefined || text === call.arguments ? undefined : { ...call, arguments: text };
  }

  #policiesOf(callback: ToolCallback, name: string): FoundPolicies {
    // A tool that is made anew for each request is still the same tool of the same object.
    const owner = (callback as { toolObject?: object }).toolObject ?? callback;
    let ofOwner = this.#policies.get(owner);
    if (!ofOwner) this.#policies.set(owner, (ofOwner = new Map()));
    let found = ofOwner.get(name);
    if (!found) ofOwner.set(name, (found = this.#compile(callback, name)));
    return found;
  }

  #compile({ toolMetadata }: ToolCallback, name: string): FoundPolicies {
    const policies: ToolPolicies = { ...toolMetadata, ...this.options.policiesOf?.(name) };
    const timeout = policies.timeout ?? this.options.timeout;
    const { retry, concurrencyKey, rateLimit, cacheTtl, needsApproval } = policies;
    if (!(retry || concurrencyKey || rateLimit || cacheTtl || needsApproval)) return { timeout };
    return { timeout, compiled: new CompiledPolicies({ ...policies, ...(timeout && { timeout }) }, this.#queue) };
  }
}

/** Tools of somebody's own are run as a whole; others know where their code begins. */
function callWithRunner(
  callback: ToolCallback,
  input: string,
  context: ToolContext,
  runner: PolicyRunner,
): Awaitable<string | ToolResult> {
  if (runsWithRunner(callback)) return callback.call(input, context);
  return runner.run(() => callback.call(input, context)) as Promise<string | ToolResult>;
}

function toAnswer(call: ToolCall, result: unknown, returnDirect: boolean): AnsweredCall {
  if (typeof result === 'string') {
    return { response: { id: call.id, name: call.name, responseData: result }, returnDirect };
  }
  const { text, content, isError, value } = toToolResult(result);
  return {
    response: {
      id: call.id,
      name: call.name,
      responseData: text,
      ...(isError && { isError }),
      ...(content && { content }),
      ...(value !== undefined && { value }),
    },
    returnDirect: returnDirect && !isError,
  };
}

/** No arguments at all are none; some adapters give them already parsed. */
function toInputText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return given === undefined || given === null ? '{}' : JSON.stringify(given);
}

/** A tool of somebody's own may give anything. */
function toToolResult(result: unknown): ToolResult {
  const given = result as Partial<ToolResult> | null | undefined;
  const isResult =
    typeof given === 'object' && given !== null && (ToolResult.isToolResult(given) || typeof given.text === 'string');
  if (!isResult) return new ToolResult({ text: result === undefined ? '' : toJsonText(result) });
  const { text, content, isError, value } = given;
  return new ToolResult({
    text: typeof text === 'string' ? text : toJsonText(text),
    ...(Array.isArray(content) && { content }),
    ...(isError && { isError }),
    ...(value !== undefined && { value }),
  });
}
