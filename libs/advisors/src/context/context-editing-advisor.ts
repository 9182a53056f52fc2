import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  type NextHandler,
  Ordered,
  Prompt,
  type ToolMetadata,
} from '@nestor-ai/core';
import { checkAdvisorOrder, requireOptions } from '@nestor-ai/core/internal';
import { clearResults } from './clear-results.js';

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
 * The results of a tool with `metadata: { keepResult: true }` always stay, and so do those of a tool
 * whose `effect` is `write` or `irreversible`: they say what was done. A request whose provider
 * edits the context itself, with `contextManagement` in the options for `anthropic`, is left alone.
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
    const kept = new Set(
      options?.toolCallbacks
        ?.filter(({ toolMetadata }) => toolMetadata && isKept(toolMetadata))
        .map(({ toolDefinition }) => toolDefinition.name),
    );
    const edited = clearResults(messages, { ...this.#limits, isKept: (name) => kept.has(name) });
    return next.handle(edited === messages ? request : { ...request, prompt: Prompt.of(edited, options) });
  }
}

function isKept({ keepResult, effect }: ToolMetadata): boolean {
  return keepResult === true || effect === 'write' || effect === 'irreversible';
}
