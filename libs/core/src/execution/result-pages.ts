import { remembered } from '../model/remembered.js';
import { LOOP_TOOL, type ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import { ToolResult } from '../model/tool-result.js';
import type { Turn } from '../model/turn.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { cutAt } from '../tool/result/cut-text.js';

/** The name of the tool that reads the rest of a long result. */
export const READ_TOOL_RESULT = 'read_tool_result';

/** The most characters of results to keep for a turn. A single longer result is kept as well. */
const MAX_KEPT = 10_000_000;

/** The key of the turn's state for its results. */
const KEPT = Symbol('nestor.KeptResults');

interface PageRequest {
  readonly id: string;
  readonly offset?: number;
}

/**
 * Keeps the results of a turn that were too long for the model, and provides a tool to read them
 * in pages.
 */
export class ResultPages {
  readonly tool: ToolCallback;

  /**
   * Adds the tool that reads pages to the tools of a request. A request without tools has no
   * results.
   *
   * @throws Error if another tool has the same name
   */
  readonly with = remembered((callbacks: readonly ToolCallback[]) => this.#added(callbacks), Object.isFrozen);

  /** @param maxLength the most characters of a page */
  constructor(private readonly maxLength: number) {
    this.tool = new ReadToolResult((request, context) => this.#read(request, context));
  }

  /** Keeps a text for the turn. Returns its beginning and how to read on. */
  firstPage(text: string, turn: Turn, isUntrusted: boolean): string {
    const id = crypto.randomUUID().slice(0, 8);
    turn.state(KEPT, () => new KeptResults()).add(id, { text, isUntrusted });
    return this.#page(id, text, 0);
  }

  #read({ id, offset = 0 }: PageRequest, { turn }: ToolContext): string | ToolResult {
    const kept = turn.state(KEPT, () => new KeptResults()).get(id);
    if (!kept) {
      return failure(
        `The result '${id}' is not kept any more: it is gone when the turn has waited for an approval, or when too much was kept since. ` +
          'Call the tool again that gave it, for less if that is possible.',
      );
    }
    const { text, isUntrusted } = kept;
    if (offset >= text.length)
      return failure(`The result '${id}' has ${text.length} characters, so offset must be less.`);
    const page = this.#page(id, text, offset);
    return isUntrusted ? new ToolResult({ text: page, untrusted: true }) : page;
  }

  #page(id: string, text: string, offset: number): string {
    const rest = offset === 0 ? text : text.slice(offset);
    if (rest.length <= this.maxLength) return rest;
    return cutAt(rest, this.maxLength, (length) => {
      const end = offset + length;
      const what = `these are the characters from ${offset} to ${end} of ${text.length}`;
      return `Cut here: ${what}. To read on, call ${READ_TOOL_RESULT} with ${JSON.stringify({ id, offset: end })}`;
    });
  }

  #added(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    if (callbacks.length === 0 || callbacks.includes(this.tool)) return callbacks;
    if (callbacks.some(({ toolDefinition }) => toolDefinition.name === READ_TOOL_RESULT)) {
      throw new Error(
        `Rename your tool '${READ_TOOL_RESULT}', or set ai.tools.results.paging.enabled=false: models read long results ` +
          'with a tool of that name.',
      );
    }
    return Object.freeze([...callbacks, this.tool]);
  }
}

/** The tool of the loop: no filter applies to it, and a tool search always offers it. */
class ReadToolResult extends FunctionToolCallback<PageRequest> {
  readonly [LOOP_TOOL] = true;

  constructor(toolFunction: (request: PageRequest, context: ToolContext) => unknown) {
    super({
      name: READ_TOOL_RESULT,
      description:
        'Read on in the result of a tool that was too long. The end of such a result says with which arguments.',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'The id of the result' },
          offset: { type: 'integer', minimum: 0, description: 'The first character to read' },
        },
        required: ['id'],
        additionalProperties: false,
      },
      // A page may belong to a hidden result.
      toolMetadata: { returnDirect: false, alwaysAvailable: true, ui: 'input' },
      toolFunction,
    });
  }
}

interface KeptResult {
  readonly text: string;
  /** Whether the result is untrusted. */
  readonly isUntrusted: boolean;
}

class KeptResults {
  readonly #results = new Map<string, KeptResult>();
  #length = 0;

  get(id: string): KeptResult | undefined {
    return this.#results.get(id);
  }

  add(id: string, result: KeptResult): void {
    this.#results.set(id, result);
    this.#length += result.text.length;
    for (const [oldest, before] of this.#results) {
      if (this.#length <= MAX_KEPT || oldest === id) return;
      this.#results.delete(oldest);
      this.#length -= before.text.length;
    }
  }
}

function failure(text: string): ToolResult {
  return new ToolResult({ text, isError: true });
}
