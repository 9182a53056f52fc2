import type { JsonSchema } from '../json/json-schema.js';
import { remembered } from '../json/remembered.js';
import { isJsonObject } from '../json/is-json-object.js';
import { valueAt } from './json-pointer.js';
import { dialectOf, eachSubschema, HOLDING } from './json-schema-keywords.js';
import { selfContained } from './self-contained.js';

/** The maximum number of schemas that are applied to one value. */
const MAX_APPLIED = 1000;

/** Keywords whose schemas apply to the same value, not to a part of it. */
const IN_PLACE: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf not if then else dependentSchemas dependencies'.split(' '),
);

/** Stands for every part of a value except its named properties. */
const ANY_PART = '*';

/** The schemas that a schema applies to the value itself and to its parts. */
interface Applied {
  readonly inPlace: JsonSchema[];
  readonly parts: { readonly part: string; readonly schema: JsonSchema }[];
}

/** How often each schema is applied to one value. */
type Counts = Map<JsonSchema, number>;

/**
 * Checks that validating a value with a stranger's schema takes time proportional to the value:
 * the work must not multiply with each level of the schema or the value.
 *
 * @throws Error that describes the problem
 */
export function checkSchemaWork(schema: JsonSchema): void {
  new SchemaWork(selfContained(schema).schema).check();
}

class SchemaWork {
  readonly #applied = new Map<JsonSchema, Applied>();
  readonly #closures = new Map<JsonSchema, Counts>();
  /** The same number for schemas that reference each other. */
  readonly #component = new Map<JsonSchema, number>();
  readonly #opened: JsonSchema[] = [];
  #visited = 0;

  constructor(private readonly root: JsonSchema) {}

  check(): void {
    this.#visit(this.root);
    for (const schema of this.#applied.keys()) this.#checkParts(schema);
  }

  /**
   * Finds the schemas, and which of them lead to each other (Tarjan's algorithm).
   *
   * @returns the earliest schema that this one leads back to
   */
  #visit(schema: JsonSchema): number {
    const index = this.#visited++;
    const applied = this.#appliedBy(schema);
    this.#applied.set(schema, applied);
    this.#component.set(schema, index);
    const start = this.#opened.push(schema) - 1;
    let earliest = index;
    for (const next of [...applied.inPlace, ...applied.parts.map((part) => part.schema)]) {
      const known = this.#component.get(next);
      if (known === undefined) earliest = Math.min(earliest, this.#visit(next));
      else if (this.#opened.includes(next)) earliest = Math.min(earliest, known);
    }
    if (earliest === index) for (const member of this.#opened.splice(start)) this.#component.set(member, index);
    return earliest;
  }

  #appliedBy(schema: JsonSchema): Applied {
    const applied: Applied = { inPlace: [], parts: [] };
    if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) {
      throw new Error('dynamic references ($dynamicRef, $recursiveRef) are not supported for tools of providers');
    }
    const target = typeof schema.$ref === 'string' ? this.#targetOf(schema.$ref) : undefined;
    if (target) applied.inPlace.push(target);
    eachSubschema(schema, dialectOf(this.root), (child, pointer, keyword) => {
      if (IN_PLACE.has(keyword)) applied.inPlace.push(child);
      else if (!HOLDING.has(keyword)) {
        applied.parts.push({ part: keyword === 'properties' ? pointer : ANY_PART, schema: child });
      }
    });
    return applied;
  }

  #targetOf(reference: string): JsonSchema | undefined {
    const target = reference.startsWith('#') ? valueAt(this.root, decodeURIComponent(reference.slice(1))) : undefined;
    return isJsonObject(target) ? target : undefined;
  }

  /** How often each schema applies to a value that this schema applies to. */
  #closureOf(schema: JsonSchema, outer = new Set<JsonSchema>()): Counts {
    const known = this.#closures.get(schema);
    if (known) return known;
    if (outer.has(schema)) throw new Error('its schema references itself endlessly');
    const counts: Counts = new Map([[schema, 1]]);
    outer.add(schema);
    for (const inner of this.#applied.get(schema)!.inPlace) {
      for (const [one, count] of this.#closureOf(inner, outer)) add(counts, one, count);
    }
    outer.delete(schema);
    if (totalOf(counts.values()) > MAX_APPLIED) {
      throw new Error(`its schema checks a value more than ${MAX_APPLIED} times`);
    }
    this.#closures.set(schema, counts);
    return counts;
  }

  /**
   * If two recursive schemas check a part, it is checked four times two levels deeper, and so on.
   */
  #checkParts(schema: JsonSchema): void {
    const ofParts = new Map<string, Counts>();
    for (const [member, count] of this.#closureOf(schema)) {
      for (const { part, schema: inner } of this.#applied.get(member)!.parts) {
        const counts = remembered(ofParts, part, (): Counts => new Map());
        add(counts, inner, count);
      }
    }
    const ofAny = this.#returning(ofParts.get(ANY_PART), schema);
    for (const [part, counts] of ofParts) {
      const times = this.#returning(counts, schema) + (part === ANY_PART ? 0 : ofAny);
      if (times > 1) throw new Error('its schema checks a part of a value several times at each level');
    }
  }

  /** How many of these schemas lead back to the given one. */
  #returning(counts: Counts | undefined, schema: JsonSchema): number {
    const component = this.#component.get(schema);
    const returning = [...(counts ?? [])].filter(([inner]) => this.#component.get(inner) === component);
    return totalOf(returning.map(([, count]) => count));
  }
}

function add(counts: Counts, schema: JsonSchema, count: number): Counts {
  return counts.set(schema, (counts.get(schema) ?? 0) + count);
}

function totalOf(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
