import type { ContentPart } from './content-part.js';

const TOOL_RESULT = Symbol.for('nestor.ToolResult');

/** The values that a {@link ToolResult} is created from. */
export interface ToolResultInit {
  text: string;
  content?: readonly ContentPart[];
  isError?: boolean;
  value?: unknown;
  untrusted?: boolean;
}

/**
 * A tool result that is more than text. Return one from a tool method to control what the model
 * reads.
 *
 * @example
 * return new ToolResult({
 *   text: 'A chart of the sales',
 *   content: [{ type: 'image', mimeType: 'image/png', data }],
 * });
 */
export class ToolResult {
  /** The text that the model reads. */
  readonly text: string;
  /** Images and files in addition to the text, for models that support them. */
  readonly content?: readonly ContentPart[];
  /** The tool failed. `text` contains the reason. */
  readonly isError?: boolean;
  /** The value before it was converted to text. Never sent to the model. */
  readonly value?: unknown;
  /**
   * Whether this result contains text from strangers. For tools that are not generally
   * `untrusted`.
   */
  readonly untrusted?: boolean;

  constructor(init: ToolResultInit) {
    this.text = init.text;
    if (init.content) this.content = init.content;
    if (init.isError) this.isError = true;
    if (init.value !== undefined) this.value = init.value;
    if (init.untrusted) this.untrusted = true;
    Object.defineProperty(this, TOOL_RESULT, { value: true });
  }

  /** Returns a copy with changes. */
  with(changes: Partial<ToolResultInit>): ToolResult {
    const { text, ...rest } = this;
    return new ToolResult({ text, ...rest, ...changes });
  }

  /** Whether a value is a {@link ToolResult}, from any copy of this package. */
  static isToolResult(value: unknown): value is ToolResult {
    return typeof value === 'object' && value !== null && TOOL_RESULT in value;
  }
}

/** Whether a value is a {@link ToolResult} or a plain object of the same shape. */
export function isResultLike(value: unknown): value is Partial<ToolResult> {
  if (typeof value !== 'object' || value === null) return false;
  return ToolResult.isToolResult(value) || typeof (value as Partial<ToolResult>).text === 'string';
}
