import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  type NextHandler,
  Ordered,
  Prompt,
  type ToolCallback,
  type ToolCallingManager,
} from '@nestor-ai/core';
import {
  checkAdvisorOrder,
  READ_TOOL_RESULT,
  requireOptions,
  scopeOf,
  TOOL_CALLING_MANAGER,
} from '@nestor-ai/core/internal';
import { clearResults, type ResultFate } from './clear-results.js';

/** The options of {@link ContextEditingAdvisor}. */
export interface ContextEditingAdvisorOptions {
  /** Above how many tokens of messages old tool results are cleared, as estimated by length. */
  at: number;
  /** How many of the newest tool results always stay. Default: 3. */
  keep?: number;
  /**
   * How many tokens to clear at a time, so that the prompt cache of a provider is seldom lost. Nothing
   * is cleared as long as it would be less. Default: a third of `at`.
   */
  clear?: number;
  /** Default: {@link ContextEditingAdvisor.DEFAULT_ORDER}, in each round, behind a memory in the loop. */
  order?: number;
}

const DEFAULT_KEEP = 3;

/**
 * Keeps long turns within the context of a model: the oldest tool results are not sent any more.
 * Instead of each, the model reads how to get it back. The conversation itself is not changed.
 *
 * These always stay: results that the model has not read yet, those of a tool with `metadata:
 * { keepResult: true }`, and those of a tool that writes, since they say what was done: its `effect` is
 * `write` or `irreversible`, or the request does not have it any more. The model is only told to call a
 * tool again whose `effect` is `read`.
 *
 * A request whose provider edits the context itself, with `contextManagement` in the options for
 * `anthropic`, is left alone.
 *
 * @example
 * new ContextEditingAdvisor({ at: 50_000 });
 */
export class ContextEditingAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1300;

  readonly name = 'Context Editing Advisor';
  override readonly order: number;
  readonly #limits: { readonly at: number; readonly keep: number; readonly clear: number };

  /** @throws RangeError when an option is not a number that makes sense */
  constructor(options: ContextEditingAdvisorOptions) {
    super();
    const { at, keep = DEFAULT_KEEP, order } = requireOptions(ContextEditingAdvisor, options, '{ at: 50_000 }');
    const { clear = Math.ceil(at / 3) } = options;
    if (!(at > 0 && at < Infinity)) throw new RangeError(`at must be a number of tokens above 0, but is ${at}.`);
    if (!(clear > 0 && clear <= at)) throw new RangeError(`clear must be between 0 and at (${at}), but is ${clear}.`);
    if (!Number.isInteger(keep) || keep < 0) throw new RangeError(`keep must be 0 or more results, but is ${keep}.`);
    this.order = checkAdvisorOrder(order ?? ContextEditingAdvisor.DEFAULT_ORDER);
    this.#limits = { at, keep, clear };
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { messages, options } = request.prompt;
    if (options?.providerOptions?.['anthropic']?.['contextManagement'] !== undefined) return next.handle(request);
    const manager = scopeOf(options)?.services?.get(TOOL_CALLING_MANAGER);
    const fates = new Map<string, ResultFate>([[READ_TOOL_RESULT, 'repeat']]);
    for (const callback of options?.toolCallbacks ?? []) {
      const { name } = callback.toolDefinition;
      if (name !== READ_TOOL_RESULT) fates.set(name, fateOf(callback, manager));
    }
    const edited = clearResults(messages, { ...this.#limits, fateOf: (name) => fates.get(name) ?? 'keep' });
    return next.handle(edited === messages ? request : { ...request, prompt: Prompt.of(edited, options) });
  }
}

function fateOf(callback: ToolCallback, manager: ToolCallingManager | undefined): ResultFate {
  const { toolMetadata } = callback;
  if (toolMetadata?.['keepResult'] === true) return 'keep';
  const effect = manager ? manager.effectOf(callback) : toolMetadata?.effect;
  if (effect === undefined) return 'remove';
  return effect === 'read' ? 'repeat' : 'keep';
}
