import type { ToolCallback } from '@nestor-ai/core';
import type { ToolReference } from '../tool-index/tool-index.js';
import { ToolSet } from '../tool-index/tool-set.js';

const known = new WeakMap<readonly ToolCallback[], SearchableTools>();
const referencesOf = new WeakMap<ToolCallback, ToolReference>();

/** The tools of a request, as they are searched. What a client reuses from request to request is read once. */
export class SearchableTools {
  readonly references: readonly ToolReference[];
  /** The tools that are offered without being searched for. */
  readonly alwaysAvailable: readonly string[];
  /** The categories there are, in alphabetical order. */
  readonly categories: readonly string[];
  /** The same for the same tools, in whatever list. */
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

  /** Whether there is anything to search for. */
  get isEmpty(): boolean {
    return this.alwaysAvailable.length === this.callbacks.length;
  }

  /** The name of a tool as it is written, upper and lower case being the same; undefined for one that is not there. */
  nameOf(name: string): string | undefined {
    // Models write calls without a name.
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
