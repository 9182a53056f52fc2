import { createHash } from 'node:crypto';
import type { ToolReference } from './tool-index.js';

const digests = new WeakMap<ToolReference, string>();

/** A hash of a tool. Equal for tools with the same content. */
function digestOf(tool: ToolReference): string {
  let digest = digests.get(tool);
  if (digest === undefined) {
    digest = createHash('sha256').update(contentOf(tool)).digest('base64url');
    // Tools that are not frozen may change, so their hash is not cached.
    if (Object.isFrozen(tool)) digests.set(tool, digest);
  }
  return digest;
}

/** @throws TypeError that names the tool if its schema cannot be serialized */
function contentOf({ toolName, summary, inputSchema, category, dependsOn }: ToolReference): string {
  try {
    return JSON.stringify([toolName, summary, inputSchema, category, dependsOn]);
  } catch (cause) {
    throw new TypeError(
      `The tool '${toolName}' cannot be indexed, because its schema cannot be serialized as JSON: ${String(cause)}`,
      {
        cause,
      },
    );
  }
}

/** Tools with unique names, and a key that identifies their content. A set never changes. */
export class ToolSet {
  readonly #tools: ReadonlyMap<string, ToolReference>;
  /** Equal for the same tools in any order. */
  readonly key: string;

  private constructor(tools: Iterable<ToolReference>) {
    this.#tools = new Map(Array.from(tools, (tool) => [tool.toolName, tool]));
    this.key = createHash('sha256').update(this.tools.map(digestOf).sort().join()).digest('base64url');
  }

  /** The last one of several tools with the same name counts. */
  static of(tools: Iterable<ToolReference>): ToolSet {
    return new ToolSet(tools);
  }

  /** The set with other tools in addition. They replace those with the same name. */
  with({ tools }: ToolSet): ToolSet {
    return new ToolSet([...this.tools, ...tools]);
  }

  get(toolName: string): ToolReference | undefined {
    return this.#tools.get(toolName);
  }

  get tools(): readonly ToolReference[] {
    return [...this.#tools.values()];
  }
}
