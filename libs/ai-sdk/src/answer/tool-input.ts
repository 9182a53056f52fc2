import type { ToolInputDelta } from '@nestor-ai/core';
import type { StreamPart } from '../specification.js';

interface OpenInput {
  readonly name: string;
  readonly isProviderExecuted: boolean;
  /** Whether the deltas are plain text, such as code for a custom tool of OpenAI. */
  readonly isText: boolean;
  isQuoted: boolean;
}

/** The inputs of calls that a model is writing. Only the first event of an input has the name. */
export class ToolInputs {
  readonly #open = new Map<string, OpenInput>();

  /** Whether the start of the input of a call was reported. */
  has(id: string): boolean {
    return this.#open.has(id);
  }

  start({ id = '', toolName: name = '', providerExecuted, inputEncoding }: StreamPart): ToolInputDelta {
    const isProviderExecuted = providerExecuted === true;
    this.#open.set(id, { name, isProviderExecuted, isText: inputEncoding === 'text', isQuoted: false });
    return { id, name, delta: '', ...(isProviderExecuted && { isProviderExecuted }) };
  }

  /**
   * The next text of an input. Plain text becomes JSON, so that all deltas together are the
   * arguments of the call.
   */
  delta({ id = '', delta: text = '', type }: StreamPart): ToolInputDelta | undefined {
    const input = this.#open.get(id);
    if (!input) return undefined;
    const { name, isProviderExecuted } = input;
    const delta = input.isText ? quote(input, text, type === 'tool-input-end') : text;
    return delta === '' ? undefined : { id, name, delta, ...(isProviderExecuted && { isProviderExecuted }) };
  }
}

function quote(input: OpenInput, text: string, isEnd: boolean): string {
  const opening = input.isQuoted ? '' : '"';
  input.isQuoted = true;
  return `${opening}${JSON.stringify(text).slice(1, -1)}${isEnd ? '"' : ''}`;
}
