import type { ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { SerialQueue } from '../model/serial-queue.js';
import { originOf, type ToolCallback } from '../model/tool-callback.js';
import { ToolContext, type ToolContextInit } from '../model/tool-context.js';
import { stableJson } from '../model/stable-json.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { isResultLike, ToolResult } from '../model/tool-result.js';
import type { TurnContext } from '../model/turn-context.js';
import { policiesOf } from '../tool/policies.js';
import { parseJson } from '../tool/input/parse-json.js';
import { ToolInputException } from '../tool/input/tool-input.js';
import { toJsonText } from '../tool/result/to-json-text.js';
import type { ToolCallEnd } from '../observability/tool-call-outcome.js';
import { CompiledPolicies, createPolicyState, type PolicyState } from './policy-runner.js';
import { IS_PENDING, runWith, StartableCall } from './run-with-policies.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import { withTimeout } from './with-timeout.js';

/** What became of a call. */
export interface AnsweredCall extends ToolCallEnd {
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

const PENDING: AnsweredCall = Object.freeze({ returnDirect: false });

/** Runs single calls, as the policies of their tools say. */
export class ToolCallRunner {
  readonly #found = new WeakMap<ToolCallback, FoundPolicies>();
  readonly #states = new WeakMap<object, Map<string, PolicyState>>();
  readonly #queue = new SerialQueue();

  constructor(private readonly options: ToolCallRunnerOptions) {}

  /** @throws what the tool throws */
  async run(runnable: RunnableToolCall): Promise<AnsweredCall> {
    const { call, callback, prompt, turn } = runnable;
    const { timeout, compiled } = this.#policiesOf(callback);
    const init: ToolContextInit = { toolCall: call, history: prompt.messages, turn };
    if (turn.isWatched) {
      const toolCall = { id: call.id, name: call.name };
      init.onProgress = (value) => turn.emit({ type: 'tool-progress', toolCall, value });
    }
    const context = new ToolContext(prompt.options?.toolContext, init);
    // From here on it is a continuation of its own: what a tool enters with `enterWith()` does not reach other tools and rounds.
    await undefined;
    turn.throwIfAborted();
    const code = new StartableCall(callback, toInputText(call.arguments), context, turn);
    let result: unknown;
    try {
      if (compiled) result = await runWith(compiled, runnable, code, { init, timeout });
      // Without a time of its own, the tool has the signal of the turn.
      else if (timeout === undefined) result = await turn.untilAborted(code.start());
      else {
        result = await withTimeout(call.name, timeout, turn.signal, async (signal) => {
          init.signal = signal;
          return code.start();
        });
      }
    } finally {
      code.end();
    }
    return result === IS_PENDING ? PENDING : toAnswer(call, result, callback.toolMetadata?.returnDirect ?? false);
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
    // A tool that has read something else in vain has begun to work.
    if (parseJson(toInputText(call.arguments)) !== undefined) return undefined;
    const text = await argumentRepair.repair({ toolDefinition: callback.toolDefinition, arguments: call.arguments });
    return text === undefined || text === call.arguments ? undefined : { ...call, arguments: text };
  }

  #policiesOf(callback: ToolCallback): FoundPolicies {
    let found = this.#found.get(callback);
    if (!found) this.#found.set(callback, (found = this.#find(callback)));
    return found;
  }

  #find(callback: ToolCallback): FoundPolicies {
    const origin = originOf(callback);
    const names = new Set([callback.toolDefinition.name, origin.toolDefinition.name]);
    const policies: ToolPolicies = Object.assign(
      {},
      policiesOf(callback.toolMetadata ?? {}),
      policiesOf(origin.toolMetadata ?? {}),
      ...[...names].map((name) => this.options.policiesOf?.(name)),
    );
    const timeout = policies.timeout ?? this.options.timeout;
    // What a tool needs approval for, it needs under every name.
    const ofOrigin =
      this.options.policiesOf?.(origin.toolDefinition.name)?.needsApproval ?? origin.toolMetadata?.needsApproval;
    if (ofOrigin && !policies.needsApproval) Object.assign(policies, { needsApproval: ofOrigin });
    const { retry, concurrencyKey, rateLimit, cacheTtl, needsApproval } = policies;
    if (!(retry || concurrencyKey || rateLimit || cacheTtl || needsApproval)) return { timeout };
    const complete = { ...policies, ...(timeout && { timeout }) };
    return { timeout, compiled: new CompiledPolicies(complete, this.#queue, this.#stateOf(origin, policies)) };
  }

  /** A tool that is made anew for each request is still the same tool of the same object. */
  #stateOf(origin: ToolCallback, policies: ToolPolicies): PolicyState {
    const owner = (origin as { toolObject?: object }).toolObject ?? origin;
    const { rateLimit, cacheTtl } = policies;
    const key = stableJson([origin.toolDefinition.name, rateLimit?.calls, rateLimit?.interval, cacheTtl]);
    let ofOwner = this.#states.get(owner);
    if (!ofOwner) this.#states.set(owner, (ofOwner = new Map()));
    let state = ofOwner.get(key);
    if (!state) ofOwner.set(key, (state = createPolicyState(policies)));
    return state;
  }
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
  if (!isResultLike(result)) return new ToolResult({ text: result === undefined ? '' : toJsonText(result) });
  const { text, content, isError, value } = result;
  return new ToolResult({
    text: typeof text === 'string' ? text : toJsonText(text),
    ...(Array.isArray(content) && { content }),
    ...(isError && { isError }),
    ...(value !== undefined && { value }),
  });
}
