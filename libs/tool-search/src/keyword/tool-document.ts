import type { ToolReference } from '../tool-index/tool-index.js';
import { parameterTextsOf } from '../words/parameter-texts.js';
import { stem, stemsOf, wordsOf } from '../words/words.js';
import { FIELD_WEIGHTS } from './keyword-tuning.js';

/** What the search knows of a tool. */
export interface ToolDocument {
  readonly toolName: string;
  /** How often each word counts, wherever it stands. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** The sum of {@link frequencies}. */
  readonly length: number;
  /** The words of the name. */
  readonly name: readonly string[];
  /** Words that follow each other in the name or the description. */
  readonly pairs: ReadonlySet<string>;
  /** When it came: of tools that fit equally well, the first is first. */
  readonly order: number;
}

/** Reads a tool. */
export function toDocument(tool: ToolReference, order: number): ToolDocument {
  const { names, descriptions, values } = parameterTextsOf(tool.inputSchema);
  // A name is found by all of its words: `whoAmI` has no others.
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

/** Words that follow each other, two by two. */
export function pairsOf(stems: readonly string[]): string[] {
  return stems.slice(1).flatMap((stem, index) => (stems[index] === stem ? [] : `${stems[index]} ${stem}`));
}
