import { createHash } from 'node:crypto';
import type { ToolReference } from './tool-index.js';

const SIZE_OF_KEYS = 2n ** 256n;

const digests = new WeakMap<ToolReference, bigint>();

/** A hash of a tool as a number. Equal for tools with the same content. */
function digestOf(tool: ToolReference): bigint {
  let digest = digests.get(tool);
  if (digest === undefined) {
    digest = BigInt(`0x${createHash('sha256').update(contentOf(tool)).digest('hex')}`);
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

/**
 * A set of tools with unique names and a key that identifies the content. The key is a sum, so
 * that adding a tool to thousands does not require hashing all of them again.
 */
export class ToolSet {
  readonly #tools = new Map<string, { readonly tool: ToolReference; readonly digest: bigint }>();
  #sum = 0n;

  static of(tools: Iterable<ToolReference>): ToolSet {
    const set = new ToolSet();
    for (const tool of tools) set.add(tool);
    return set;
  }

  /** Equal for the same tools in any order. */
  get key(): string {
    return keyOf(this.#tools.size, this.#sum);
  }

  /** Whether the set contains a tool with the same content. */
  has(tool: ToolReference): boolean {
    return this.#tools.get(tool.toolName)?.digest === digestOf(tool);
  }

  get(toolName: string): ToolReference | undefined {
    return this.#tools.get(toolName)?.tool;
  }

  /** All tools, in the order in which they were added. */
  get tools(): ToolReference[] {
    return Array.from(this.#tools.values(), ({ tool }) => tool);
  }

  add(tool: ToolReference): void {
    this.delete(tool.toolName);
    const digest = digestOf(tool);
    this.#tools.set(tool.toolName, { tool, digest });
    this.#sum = (this.#sum + digest) % SIZE_OF_KEYS;
  }

  addAll({ tools }: ToolSet): void {
    for (const tool of tools) this.add(tool);
  }

  /** The key of the set after adding other tools. */
  keyWith(added: ToolSet): string {
    let size = this.#tools.size;
    let sum = this.#sum;
    for (const [name, { digest }] of added.#tools) {
      const known = this.#tools.get(name);
      if (!known) size++;
      sum = (sum + SIZE_OF_KEYS + digest - (known?.digest ?? 0n)) % SIZE_OF_KEYS;
    }
    return keyOf(size, sum);
  }

  delete(toolName: string): void {
    const known = this.#tools.get(toolName);
    if (!known) return;
    this.#tools.delete(toolName);
    this.#sum = (this.#sum + SIZE_OF_KEYS - known.digest) % SIZE_OF_KEYS;
  }

  copy(): ToolSet {
    const copy = new ToolSet();
    for (const [name, entry] of this.#tools) copy.#tools.set(name, entry);
    copy.#sum = this.#sum;
    return copy;
  }
}

function keyOf(size: number, sum: bigint): string {
  return `${size}-${sum.toString(36)}`;
}
