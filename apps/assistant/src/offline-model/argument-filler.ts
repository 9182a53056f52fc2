import type { JsonSchema } from '@nestor-ai/core';
import { findTimeExpressions, type TimeExpression } from './time-expression.js';
import { wordsOf } from './words.js';

/** The sources of arguments. */
export interface Evidence {
  readonly question: string;
  /** The current time, if a tool has returned it. */
  readonly now: Date | undefined;
  /** Named values from the results of earlier calls. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** The arguments that were found, and the names of the missing required ones. */
export interface FilledArguments {
  readonly values: Record<string, unknown>;
  readonly missing: readonly string[];
}

/** Fills the arguments of a tool from a question, using only the tool's schema. */
export function fillArguments(schema: JsonSchema, evidence: Evidence): FilledArguments {
  return new EvidenceReader(evidence).fill(schema);
}

/** Takes values out of a question. Each value is used once. */
class EvidenceReader {
  readonly #texts: string[];
  readonly #numbers: number[];
  readonly #times: TimeExpression[];
  readonly #words: ReadonlySet<string>;
  readonly #taken = new Set<unknown>();

  constructor(private readonly evidence: Evidence) {
    const { question } = evidence;
    this.#times = findTimeExpressions(question);
    const rest = this.#times.reduce((text, time) => text.replace(time.text, '…'), question);
    this.#texts = findTexts(rest);
    this.#numbers = [...rest.matchAll(/(?<![\w.@-])-?\d+(?:\.\d+)?(?![\w@-])/g)].map(([digits]) => Number(digits));
    this.#words = new Set(wordsOf(question));
  }

  fill(schema: JsonSchema): FilledArguments {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
    const required = (schema.required ?? []) as string[];
    const values: Record<string, unknown> = {};
    // Required arguments choose first.
    const ordered = [...properties].sort(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)));
    for (const [name, property] of ordered) {
      const value = this.#read(name, plain(property), required.includes(name));
      if (value !== undefined) values[name] = value;
    }
    return { values, missing: required.filter((name) => !(name in values)) };
  }

  #read(name: string, schema: JsonSchema, isRequired: boolean): unknown {
    if (schema.const !== undefined)
      return isRequired || this.#mentions(String(schema.const)) ? schema.const : undefined;
    if (Array.isArray(schema.enum)) return this.#oneOf(schema.enum);
    switch (schema.type) {
      case 'integer':
      case 'number':
        return this.#number(schema) ?? this.#known(name, 'number');
      case 'boolean':
        return this.#mentions(name) ? true : undefined;
      case 'array':
        return this.#list(name, plain((schema.items ?? {}) as JsonSchema));
      case 'object': {
        const { values, missing } = this.fill(schema);
        return missing.length === 0 && Object.keys(values).length > 0 ? values : undefined;
      }
      case 'string':
        return this.#text(name, schema);
      default:
        return undefined;
    }
  }

  /** The allowed value that comes first in the question. Each value is used once. */
  #oneOf(values: readonly unknown[]): unknown {
    const words = wordsOf(this.evidence.question);
    const placed = values
      .map((value) => ({ value, at: words.indexOf(wordsOf(String(value))[0] ?? '') }))
      .filter(({ value, at }) => at >= 0 && this.#mentions(String(value)) && !this.#taken.has(value));
    const [first] = placed.sort((a, b) => a.at - b.at);
    if (first) this.#taken.add(first.value);
    return first?.value;
  }

  #list(name: string, items: JsonSchema): unknown[] | undefined {
    const values: unknown[] = [];
    for (let value = this.#read(name, items, false); value !== undefined && values.length < 20;) {
      if (values.includes(value)) break;
      values.push(value);
      value = this.#read(name, items, false);
    }
    return values.length > 0 ? values : undefined;
  }

  #number({ type, minimum, maximum }: JsonSchema): number | undefined {
    const at = this.#numbers.findIndex(
      (number) =>
        (type !== 'integer' || Number.isInteger(number)) &&
        number >= Number(minimum ?? Number.NEGATIVE_INFINITY) &&
        number <= Number(maximum ?? Number.POSITIVE_INFINITY),
    );
    return at < 0 ? undefined : this.#numbers.splice(at, 1)[0];
  }

  #text(name: string, { format, description }: JsonSchema): unknown {
    const about = `${name} ${typeof description === 'string' ? description : ''}`;
    if (format === 'email' || /\be-?mail\b/i.test(about))
      return /[\w.+-]+@[\w-]+\.[\w.]+/.exec(this.evidence.question)?.[0];
    if (format === 'date-time' || format === 'date' || /\b(iso|time|date)\b/i.test(about)) return this.#time(format);
    return this.#texts.shift() ?? this.#known(name, 'string');
  }

  #time(format: unknown): string | undefined {
    const { now } = this.evidence;
    const at = this.#times.findIndex(({ needsNow }) => !needsNow || now);
    if (at < 0) return undefined;
    const [time] = this.#times.splice(at, 1);
    const text = time!.resolve(now ?? new Date(0)).toISOString();
    return format === 'date' ? text.slice(0, 10) : text;
  }

  #mentions(text: string): boolean {
    const words = wordsOf(text);
    return words.length > 0 && words.every((word) => this.#words.has(word));
  }

  #known(name: string, type: string): unknown {
    const value = Object.hasOwn(this.evidence.known, name) ? this.evidence.known[name] : undefined;
    return typeof value === type ? value : undefined;
  }
}

/** The schema without its `null` alternative. */
function plain(schema: JsonSchema): JsonSchema {
  const alternatives = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  const first = alternatives?.find(({ type }) => type !== 'null');
  if (first) return { ...schema, ...first, anyOf: undefined, oneOf: undefined };
  const type: unknown = Array.isArray(schema.type)
    ? (schema.type as unknown[]).find((one) => one !== 'null')
    : schema.type;
  return { ...schema, type };
}

/** Quoted texts, or else capitalized words inside the sentence; adjacent ones are joined. */
function findTexts(question: string): string[] {
  const quoted = [...question.matchAll(/(?<!\p{L})["“”'‘]([^"“”'‘’]+)["“”'’](?!\p{L})/gu)].map(([, text]) => text!);
  if (quoted.length > 0) return quoted;
  const inside = question.replace(
    /(^\s*|[.!?]\s+)(\p{Lu})/gu,
    (_match, before: string, letter: string) => before + letter.toLowerCase(),
  );
  const names = [...inside.matchAll(/\p{Lu}[\p{L}\p{N}-]*(?:\s+\p{Lu}[\p{L}\p{N}-]*)*/gu)].map(([text]) => text);
  return names.filter((name) => name !== 'I');
}
