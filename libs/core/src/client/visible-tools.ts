import type { Awaitable } from '../model/awaitable.js';
import { remembered } from '../model/remembered.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import { RequestScope } from '../model/request-scope.js';
import { TurnControl } from '../model/turn-control.js';
import { isConditional, isVisible, type ToolFilter } from '../tool/tool-visibility.js';

/** How many selections are cached for one list, so that requests of many users can share them. */
const MAX_REMEMBERED = 100;

/** For a list up to this length, filtering is faster than a lookup in the cache. */
const SMALL = 16;

/** Whoever the tools are selected for. */
export interface ToolViewer {
  readonly request: unknown;
  readonly toolContext: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal | undefined;
}

const anyConditional = remembered(
  (callbacks: readonly ToolCallback[]) => callbacks.some(isConditional),
  Object.isFrozen,
);

/**
 * Filters the tools of a request with `visible()` and the `ToolFilter`. Costs nothing if neither
 * is used.
 */
export class VisibleTools {
  readonly #selectionsOf = remembered(
    (_callbacks: readonly ToolCallback[]) => new Map<string, readonly ToolCallback[]>(),
  );

  constructor(private readonly filter: ToolFilter | undefined) {}

  /**
   * @param viewerOf reads the viewer from its source, only if a condition needs it
   * @throws Error that names the tool if its visibility cannot be determined
   */
  of<Source>(
    callbacks: readonly ToolCallback[],
    source: Source,
    viewerOf: (source: Source) => ToolViewer,
  ): Awaitable<readonly ToolCallback[]> {
    const isConditionalList = callbacks.length <= SMALL ? callbacks.some(isConditional) : anyConditional(callbacks);
    return this.filter || isConditionalList ? this.#select(callbacks, viewerOf(source)) : callbacks;
  }

  async #select(
    callbacks: readonly ToolCallback[],
    { request, toolContext, signal }: ToolViewer,
  ): Promise<readonly ToolCallback[]> {
    const turn = new TurnControl(signal, new RequestScope<TurnControl>(request));
    const context = new ToolContext(toolContext, { turn });
    try {
      const decisions = await Promise.all(callbacks.map((callback) => isVisible(callback, context, this.filter)));
      return this.#selection(callbacks, decisions);
    } finally {
      turn.release();
    }
  }

  /**
   * Returns the same frozen list for the same decisions. The cache belongs to the original list.
   */
  #selection(callbacks: readonly ToolCallback[], decisions: readonly boolean[]): readonly ToolCallback[] {
    if (!decisions.includes(false)) return callbacks;
    const key = decisions.map(Number).join('');
    const selections = this.#selectionsOf(callbacks);
    let selection = selections.get(key);
    if (!selection) {
      if (selections.size >= MAX_REMEMBERED) selections.clear();
      selection = Object.freeze(callbacks.filter((_callback, index) => decisions[index]));
      selections.set(key, selection);
    }
    return selection;
  }
}
