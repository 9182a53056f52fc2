import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@nestor-ai/schema';
import { alternativesOf, type Alternative, resolved, type Located } from './schema-alternatives.js';

/** Where two schemas differ, and how: `.items: string instead of number`. */
type Difference = string;

/**
 * Compares what two schemas mean. References, the order of names, and the different ways to write
 * the same (`const` and `enum`, `type: [..]` and `anyOf`, tuples of two dialects) do not count.
 *
 * @returns the first difference, or undefined if there is none
 */
export function differenceOf(actual: JsonSchema, expected: JsonSchema): Difference | undefined {
  return new Comparison().compare({ schema: actual, root: actual }, { schema: expected, root: expected }, '');
}

class Comparison {
  // Recursive schemas are the same if no difference is found before the same pair comes again.
  readonly #assumed = new Map<unknown, Set<unknown>>();

  compare(actual: Located, expected: Located, path: string): Difference | undefined {
    const a = resolved(actual);
    const b = resolved(expected);
    const known = this.#assumed.get(a.schema) ?? new Set();
    if (known.has(b.schema)) return undefined;
    this.#assumed.set(a.schema, known.add(b.schema));
    const left = alternativesOf(a);
    const right = alternativesOf(b);
    if (!isDeepStrictEqual(left.literals, right.literals)) {
      return `${path}: the values ${left.literals.join()} instead of ${right.literals.join()}`;
    }
    if (!isDeepStrictEqual(left.annotations, right.annotations)) {
      return `${path}: ${JSON.stringify(left.annotations)} instead of ${JSON.stringify(right.annotations)}`;
    }
    const difference = this.#compareAlternatives(left.others, right.others, path);
    if (difference !== undefined) known.delete(b.schema);
    return difference;
  }

  #compareAlternatives(left: readonly Alternative[], right: readonly Alternative[], path: string) {
    if (left.length !== right.length) {
      return `${path}: ${left.length} types (${typesOf(left)}) instead of ${right.length} (${typesOf(right)})`;
    }
    let last: Difference | undefined;
    const open = [...right];
    for (const one of left) {
      const index = open.findIndex((other) => (last = this.#compareOne(one, other, path)) === undefined);
      if (index < 0) return last;
      open.splice(index, 1);
    }
    return undefined;
  }

  #compareOne(a: Alternative, b: Alternative, path: string): Difference | undefined {
    if (a.type !== b.type) return `${path}: ${a.type} instead of ${b.type}`;
    if (!isDeepStrictEqual(a.keywords, b.keywords)) {
      return `${path}: ${JSON.stringify(a.keywords)} instead of ${JSON.stringify(b.keywords)}`;
    }
    const names = [...a.inner.keys()].sort().join();
    const others = [...b.inner.keys()].sort().join();
    if (names !== others) return `${path}: ${names || 'nothing'} instead of ${others || 'nothing'}`;
    for (const [name, schema] of a.inner) {
      const difference = this.compare(schema, b.inner.get(name)!, `${path}.${name}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
}

function typesOf(alternatives: readonly Alternative[]): string {
  return alternatives.map(({ type }) => type).join(', ');
}
