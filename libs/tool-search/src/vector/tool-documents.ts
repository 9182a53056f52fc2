import { Logger } from '@nestjs/common';
import { errorTypeOf, untilAborted } from '@nestor-ai/core';
import { createHash } from 'node:crypto';
import type { ToolReference } from '../tool-index/tool-index.js';
import type { VectorDocument, VectorStore } from './vector-store.js';
import { parameterTextsOf } from '../words/parameter-texts.js';

/** A document that catalogues use. */
interface KeptDocument {
  catalogues: number;
  /** Resolves when it is in the store. */
  readonly added: Promise<void>;
}

/** The time limit for adding tools to a store, in milliseconds. A store may hang. */
const LONGEST_ADDING = 300_000;

const logger = new Logger('ToolSearch');
const ofStore = new WeakMap<VectorStore, ToolDocuments>();

/**
 * The tools in a vector store, each once, regardless of how many catalogues contain it. The id of
 * a document is a hash of its content, so that a store that outlives the process has no
 * duplicates.
 */
export class ToolDocuments {
  readonly #kept = new Map<string, KeptDocument>();
  /** Documents that are being deleted. Adding the same id again waits for that. */
  readonly #deleting = new Map<string, Promise<void>>();

  private constructor(readonly store: VectorStore) {}

  /** The documents of a store. All indexes of the store share them. */
  static in(store: VectorStore): ToolDocuments {
    let documents = ofStore.get(store);
    if (!documents) ofStore.set(store, (documents = new ToolDocuments(store)));
    return documents;
  }

  /** The document for a tool. */
  documentOf(tool: ToolReference): VectorDocument {
    const text = textOfTool(tool);
    const { toolName, category } = tool;
    const id = createHash('sha256')
      .update(JSON.stringify([toolName, text]))
      .digest('hex');
    return { id, text, metadata: { toolName, ...(category !== undefined && { category }) } };
  }

  /**
   * Makes sure that documents are in the store. Adds the missing ones in a single call.
   *
   * @throws the error of the store; the caller then holds none of the documents
   */
  async keep(documents: readonly VectorDocument[]): Promise<void> {
    const fresh = documents.filter(({ id }) => !this.#kept.has(id));
    const added = this.#add(fresh);
    const entries = documents.map(({ id }) => {
      const entry = this.#kept.get(id) ?? { catalogues: 0, added };
      entry.catalogues++;
      this.#kept.set(id, entry);
      return [id, entry] as const;
    });
    // After a failure, the next caller tries again.
    added.catch(() => {
      for (const [id, entry] of entries) {
        if (entry.added === added && this.#kept.get(id) === entry) this.#kept.delete(id);
      }
    });
    // Wait for all, because documents that arrive later would not belong to any catalogue.
    const arrivals = await Promise.allSettled(entries.map(([, entry]) => entry.added));
    const failed = arrivals.find((arrival) => arrival.status === 'rejected');
    if (!failed) return;
    await this.#leave(entries).catch((error: unknown) =>
      logger.warn(`Documents could not be deleted: ${errorTypeOf(error)}`),
    );
    throw failed.reason;
  }

  /**
   * Releases documents of a catalogue. Deletes those that no other catalogue uses from the store.
   */
  async release(ids: readonly string[]): Promise<void> {
    await this.#leave(
      ids.flatMap((id) => {
        const entry = this.#kept.get(id);
        return entry ? [[id, entry] as const] : [];
      }),
    );
  }

  async #leave(entries: readonly (readonly [string, KeptDocument])[]): Promise<void> {
    const unused = entries
      .filter(([id, entry]) => --entry.catalogues === 0 && this.#kept.get(id) === entry && this.#kept.delete(id))
      .map(([id]) => id);
    if (unused.length === 0 || this.store.isShared) return;
    const deleted = this.store.delete(unused);
    for (const id of unused) this.#deleting.set(id, deleted);
    try {
      await deleted;
    } finally {
      for (const id of unused) if (this.#deleting.get(id) === deleted) this.#deleting.delete(id);
    }
  }

  async #add(documents: readonly VectorDocument[]): Promise<void> {
    if (documents.length === 0) return;
    // Ignore errors of the deletion: the document is replaced now.
    await Promise.allSettled(documents.map(({ id }) => this.#deleting.get(id)));
    await untilAborted(AbortSignal.timeout(LONGEST_ADDING), this.store.add(documents));
  }
}

/** The number of characters to embed. Encoders represent long texts less precisely. */
const LONGEST = { summary: 800, parameters: 300 } as const;

/**
 * The text to embed for a tool: the words of its name, its description, the names of its
 * parameters.
 */
function textOfTool({ toolName, summary = '', inputSchema }: ToolReference): string {
  const about = `${spaced(toolName)}. ${summary.trim()}`.slice(0, LONGEST.summary);
  const parameters = parameterTextsOf(inputSchema).names.map(spaced).join(', ').slice(0, LONGEST.parameters);
  return `${about} ${parameters}`.trim();
}

/** Splits an identifier into words: `getHTTPStatus_v2` becomes `get HTTP Status v2`. */
function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_\-./:\s]+/g, ' ')
    .trim();
}
