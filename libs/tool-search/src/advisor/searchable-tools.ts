import type { ToolCallback } from '@nestor-ai/core';
import type { ToolReference } from '../tool-index/tool-index.js';
import { ToolSet } from '../tool-index/tool-set.js';

const known = new WeakMap<readonly ToolCallback[], SearchableTools>();
const referencesOf = new WeakMap<ToolCallback, ToolReference>();

/** The tools of a request in the form for searching. Cached for lists that a client reuses. */
export class SearchableTools {
  readonly references: readonly ToolReference[];
  /** The tools that are offered without a search. */
  readonly alwaysAvailable: readonly string[];
  /** The existing categories in alphabetical order. */
  readonly categories: readonly string[];
  /** Identifies the tools. Equal for the same tools in different lists. */
  readonly key: string;
  readonly #names: ReadonlySet<string>;
  readonly #nameOf: ReadonlyMap<string, string>;

  private constructor(readonly callbacks: readonly ToolCallback[]) {
    this.references = Object.freeze(callbacks.map(toReference));
    this.alwaysAvailable = callbacks.filter(isAlwaysAvailable).map(({ toolDefinition }) => toolDefinition.name);
    this.categories = [...new Set(this.references.flatMap(({ category }) => category ?? []))].sort();
    this.key = ToolSet.of(this.references).key;
    this.#names = new Set(this.references.map(({ toolName }) => toolName));
    this.#nameOf = new Map(this.references.map(({ toolName }) => [toolName.toLowerCase(), toolName]));
  }

  static of(callbacks: readonly ToolCallback[]): SearchableTools {
    if (!Object.isFrozen(callbacks)) return new SearchableTools(callbacks);
    let tools = known.get(callbacks);
    if (!tools) known.set(callbacks, (tools = new SearchableTools(callbacks)));
    return tools;
  }

  /** Whether there is nothing to search for. */
  get isEmpty(): boolean {
    return this.alwaysAvailable.length === this.callbacks.length;
  }

  /** Finds the exact name of a tool, ignoring case. Undefined if there is no such tool. */
  nameOf(name: string): string | undefined {
    // Models may write calls without a name.
    if (typeof name !== 'string') return undefined;
    return this.#names.has(name) ? name : this.#nameOf.get(name.toLowerCase());
  }
}

function toReference(callback: ToolCallback): ToolReference {
  let reference = referencesOf.get(callback);
  if (!reference) {
    const { toolDefinition, toolMetadata } = callback;
    const { category, dependsOn } = toolMetadata ?? {};
    reference = Object.freeze({
      toolName: toolDefinition.name,
      summary: toolDefinition.description,
      inputSchema: toolDefinition.inputSchema,
      ...(typeof category === 'string' && { category }),
      ...(Array.isArray(dependsOn) && { dependsOn: dependsOn.filter((name) => typeof name === 'string') }),
    });
    referencesOf.set(callback, reference);
  }
  return reference;
}

function isAlwaysAvailable({ toolMetadata }: ToolCallback): boolean {
  return toolMetadata?.alwaysAvailable === true;
}
