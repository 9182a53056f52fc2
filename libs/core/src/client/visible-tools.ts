import type { Awaitable } from '../model/awaitable.js';
import { rememberByList } from '../model/remember-by-list.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import { RequestScope } from '../model/request-scope.js';
import { TurnControl } from '../model/turn-control.js';
import { isConditional, isVisible, type ToolFilter } from '../tool/tool-visibility.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';
import { toolContextOf } from './to-request.js';

/** How many selections of one list are remembered, so that the requests of many users share their lists. */
const MAX_REMEMBERED = 100;

/** A list of this length is looked through faster than what is remembered of it is found. */
const SMALL = 16;

const anyConditional = rememberByList((callbacks) => callbacks.some(isConditional));

/** The part of its tools that a request may have. Costs nothing where no tool says who may have it. */
export class VisibleTools {
  readonly #selections = new WeakMap<readonly ToolCallback[], Map<string, readonly ToolCallback[]>>();

  constructor(private readonly filter: ToolFilter | undefined) {}

  /** @throws Error naming the tool when it cannot be known */
  of(callbacks: readonly ToolCallback[], settings: ChatClientRequestSettings): Awaitable<readonly ToolCallback[]> {
    const isConditionalList = callbacks.length <= SMALL ? callbacks.some(isConditional) : anyConditional(callbacks);
    return this.filter || isConditionalList ? this.#select(callbacks, settings) : callbacks;
  }

  async #select(
    callbacks: readonly ToolCallback[],
    settings: ChatClientRequestSettings,
  ): Promise<readonly ToolCallback[]> {
    const signal = settings.requestOptions?.signal ?? settings.options?.signal;
    const turn = new TurnControl(signal, new RequestScope<TurnControl>(settings.callerRequest));
    const context = new ToolContext(toolContextOf(settings), { turn });
    try {
      const decisions = await Promise.all(callbacks.map((callback) => isVisible(callback, context, this.filter)));
      return this.#selection(callbacks, decisions);
    } finally {
      turn.release();
    }
  }

  /** The same frozen list for the same decisions: what is known of a list is kept under the list itself. */
  #selection(callbacks: readonly ToolCallback[], decisions: readonly boolean[]): readonly ToolCallback[] {
    if (!decisions.includes(false)) return callbacks;
    const key = decisions.map(Number).join('');
    let selections = this.#selections.get(callbacks);
    if (!selections) this.#selections.set(callbacks, (selections = new Map()));
    let selection = selections.get(key);
    if (!selection) {
      if (selections.size >= MAX_REMEMBERED) selections.clear();
      selection = Object.freeze(callbacks.filter((_callback, index) => decisions[index]));
      selections.set(key, selection);
    }
    return selection;
  }
}
