import { createHash } from 'node:crypto';
import type { ToolReference } from './tool-index.js';

const SIZE_OF_KEYS = 2n ** 256n;

const digests = new WeakMap<ToolReference, bigint>();

/** What a tool is, as a number: the same for tools of the same content. */
function digestOf(tool: ToolReference): bigint {
  let digest = digests.get(tool);
  if (digest === undefined) {
    const { toolName, summary, inputSchema, category, dependsOn } = tool;
    const content = JSON.stringify([toolName, summary, inputSchema, category, dependsOn]);
    digest = BigInt(`0x${createHash('sha256').update(content).digest('hex')}`);
    // What its owner may still change is not to be known by what it was.
    if (Object.isFrozen(tool)) digests.set(tool, digest);
  }
  return digest;
}

/**
 * Tools, each name once, with a key that tells them apart from any other set. The key is a sum, so that adding a tool to thousands
 * does not mean looking at thousands.
 */
export class ToolSet {
  readonly #tools = new Map<string, { readonly tool: ToolReference; readonly digest: bigint }>();
  #sum = 0n;

  static of(tools: Iterable<ToolReference>): ToolSet {
    const set = new ToolSet();
    for (const tool of tools) set.add(tool);
    return set;
  }

  /** The same for the same tools, in whatever order they came. */
  get key(): string {
    return `${this.#tools.size}-${this.#sum.toString(36)}`;
  }

  get size(): number {
    return this.#tools.size;
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

  /** What has to be removed from these tools and added to them to make them others. Of a changed tool, both. */
  differenceTo(other: ToolSet): { readonly removed: readonly string[]; readonly added: readonly ToolReference[] } {
    const removed: string[] = [];
    const added: ToolReference[] = [];
    for (const [name, { digest }] of this.#tools) if (other.#tools.get(name)?.digest !== digest) removed.push(name);
    for (const [name, { tool, digest }] of other.#tools) {
      if (this.#tools.get(name)?.digest !== digest) added.push(tool);
    }
    return { removed, added };
  }
}
