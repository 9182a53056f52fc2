import type { ToolReference } from '../tool-index/tool-index.js';
import { parameterTextsOf } from '../words/parameter-texts.js';
import { stem, stemsOf, wordsOf } from '../words/words.js';
import { FIELD_WEIGHTS } from './keyword-tuning.js';

/** A tool in the form for searching. */
export interface ToolDocument {
  readonly toolName: string;
  /** The weighted frequency of each word. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** The sum of {@link frequencies}. */
  readonly length: number;
  /** The words of the name. */
  readonly name: readonly string[];
  /** Pairs of consecutive words in the name or the description. */
  readonly pairs: ReadonlySet<string>;
  /** The order of insertion. Among equal scores, the first tool comes first. */
  readonly order: number;
}

export function toDocument(tool: ToolReference, order: number): ToolDocument {
  const { names, descriptions, values } = parameterTextsOf(tool.inputSchema);
  // Names keep all their words: `whoAmI` only has stop words.
  const name = wordsOf(tool.toolName).map(stem);
  const description = stemsOf(tool.summary ?? '');
  const parameters = [...names, ...descriptions, ...values].flatMap(stemsOf);
  const frequencies = new Map<string, number>();
  let length = 0;
  const count = (stems: readonly string[], weight: number): void => {
    for (const stem of stems) frequencies.set(stem, (frequencies.get(stem) ?? 0) + weight);
    length += stems.length * weight;
  };
  count(name, FIELD_WEIGHTS.name);
  count(description, FIELD_WEIGHTS.description);
  count(parameters, FIELD_WEIGHTS.parameters);
  const pairs = new Set([...pairsOf(name), ...pairsOf(description)]);
  return { toolName: tool.toolName, frequencies, length, name: [...new Set(name)], pairs, order };
}

/** The pairs of consecutive words. */
export function pairsOf(stems: readonly string[]): string[] {
  return stems.slice(1).flatMap((stem, index) => (stems[index] === stem ? [] : `${stems[index]} ${stem}`));
}
