import type { ProviderOptions } from './provider-options.js';

/** A call of a tool that the provider has run, and its result. */
export interface ProviderToolCall {
  /** The provider's id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments that the model wrote: JSON text, possibly invalid. */
  readonly arguments: string;
  /** The provider's result. Undefined if the answer does not contain it yet. */
  readonly result?: unknown;
  /** Whether the tool failed. `result` contains the reason. */
  readonly isError?: boolean;
}

/** A passage of an answer, and the passage of a source that supports it. */
export interface Citation {
  /** The text in the source. */
  readonly text?: string;
  /** Where the supported passage starts in the text of the answer, in characters. */
  readonly start?: number;
  /** Where it ends: the position after its last character. */
  readonly end?: number;
}

/**
 * A source that the answer is based on: a web page or a document. A source that the answer cites
 * several times appears once for each citation.
 */
export interface Source {
  readonly type: 'url' | 'document';
  readonly id: string;
  /** The address of a web page. */
  readonly url?: string;
  readonly title?: string;
  /** The media type of a document, such as `application/pdf`. */
  readonly mimeType?: string;
  /** The file name of a document. */
  readonly name?: string;
  /** What the answer cites, if the provider says so in a standard form. */
  readonly citation?: Citation;
  /** The provider's data. Some providers put the cited text here. */
  readonly providerMetadata?: ProviderOptions;
}

/**
 * The calls of a message, with calls and results that came later. A result belongs to the call
 * with the same id.
 */
export function mergeProviderToolCalls(
  known: readonly ProviderToolCall[],
  added: readonly ProviderToolCall[],
): readonly ProviderToolCall[] {
  const merged = [...known];
  for (const call of added) {
    const at = merged.findIndex(({ id }) => id === call.id);
    if (at < 0) merged.push(call);
    else merged[at] = { ...merged[at]!, ...call, arguments: call.arguments || merged[at]!.arguments };
  }
  return merged;
}
