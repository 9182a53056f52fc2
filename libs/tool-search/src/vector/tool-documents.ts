import { createHash } from 'node:crypto';
import type { ToolReference } from '../tool-index/tool-index.js';
import { textOfTool } from './tool-text.js';
import type { VectorStore } from './vector-store.js';

/** A document that some catalogues have. */
interface KeptDocument {
  catalogues: number;
  /** When it is in the store. */
  readonly added: Promise<void>;
}

/**
 * The tools that a vector store has, each once, in however many catalogues it is. A document is named by what it says: a store that
 * outlives the process has no second one of it.
 */
export class ToolDocuments {
  readonly #kept = new Map<string, KeptDocument>();

  constructor(readonly store: VectorStore) {}

  /** The id of a tool's document. */
  idOf(tool: ToolReference): string {
    return createHash('sha256')
      .update(JSON.stringify([tool.toolName, textOfTool(tool)]))
      .digest('hex');
  }

  /**
   * Has tools in the store, those that are new to it in one go.
   *
   * @throws what the store throws; then none of them is kept
   */
  async keep(tools: readonly ToolReference[]): Promise<void> {
    const fresh = new Map(
      tools.map((tool) => [this.idOf(tool), tool]).filter(([id]) => !this.#kept.has(id as string)) as [
        string,
        ToolReference,
      ][],
    );
    const added = this.#add(fresh);
    const ids = tools.map((tool) => this.idOf(tool));
    for (const id of ids) {
      const kept = this.#kept.get(id);
      if (kept) kept.catalogues++;
      else this.#kept.set(id, { catalogues: 1, added });
    }
    try {
      await Promise.all(ids.map((id) => this.#kept.get(id)?.added));
    } catch (error) {
      this.#forget(ids);
      throw error;
    }
  }

  /** Tools are not in a catalogue any more; the store loses those that are in no other. */
  async release(tools: readonly ToolReference[]): Promise<void> {
    const unused = this.#forget(tools.map((tool) => this.idOf(tool)));
    if (unused.length > 0) await this.store.delete(unused);
  }

  async #add(tools: ReadonlyMap<string, ToolReference>): Promise<void> {
    if (tools.size === 0) return;
    const documents = Array.from(tools, ([id, tool]) => ({
      id,
      text: textOfTool(tool),
      metadata: { toolName: tool.toolName, ...(tool.category !== undefined && { category: tool.category }) },
    }));
    await this.store.add(documents);
  }

  /** @returns the ids that nobody needs */
  #forget(ids: readonly string[]): string[] {
    const unused: string[] = [];
    for (const id of ids) {
      const kept = this.#kept.get(id);
      if (!kept || --kept.catalogues > 0) continue;
      this.#kept.delete(id);
      unused.push(id);
    }
    return unused;
  }
}
