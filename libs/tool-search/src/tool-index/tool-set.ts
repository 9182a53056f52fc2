import { createHash } from 'node:crypto';
import type { ToolReference } from './tool-index.js';

const SIZE_OF_KEYS = 2n ** 256n;

const digests = new WeakMap<ToolReference, bigint>();

/** What a tool is, as a number: the same for tools of the same content. */
function digestOf(tool: ToolReference): bigint {
  let digest = digests.get(tool);
  if (digest === undefined) {
    digest = BigInt(`0x${createHash('sha256').update(contentOf(tool)).digest('hex')}`);
    // What its owner may still change is not to be known by what it was.
    if (Object.isFrozen(tool)) digests.set(tool, digest);
  }
  return digest;
}

/** @throws TypeError naming the tool that cannot be read */
function contentOf({ toolName, summary, inputSchema, category, dependsOn }: ToolReference): string {
  try {
    return JSON.stringify([toolName, summary, inputSchema, category, dependsOn]);
  } catch (cause) {
    throw new TypeError(`The tool '${toolName}' cannot be indexed, since its schema is no JSON: ${String(cause)}`, {
      cause,
    });
  }
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
    return keyOf(this.#tools.size, this.#sum);
  }

  /** Whether there is this very tool, by what it says. */
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

  /** The key that the set would have with others added. */
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
