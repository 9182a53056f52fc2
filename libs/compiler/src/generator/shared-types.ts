import type ts from 'typescript';
import {
  type JsonSchema,
  mapSubschemas,
  remembered,
  type TypedRevive,
  type ValueTypes,
} from '@nestor-ai/schema/format';
import { isConverted, type OpenRevive, type ReadValue, type SharedType } from './read-value.js';
import { UnsayableType } from './unsayable.js';

/** How many types one value may consist of. */
const MAX_TYPES = 2000;

/** How deep types of one declaration may nest, such as `List<List<T>>`. */
const MAX_NESTING = 10;

/** How deep all types may nest. A schema nests about twice as deep, and the library accepts 500 levels. */
const MAX_DEPTH = 200;

/** How many arrays and unions may be read. They are written as often as they are used. */
const MAX_READS = 20_000;

/** How deep all schemas of one value may nest, with types that were read for an earlier value. */
const MAX_WRITTEN_DEPTH = 240;

/** A type that is being read. */
interface OpenType {
  readonly type: ts.Type;
  readonly declaration: ts.Declaration | undefined;
  readonly isObject: boolean;
}

/**
 * Reads each type once for all values of a class. When a value is written, a type that it uses once is written
 * in place, and any other type in `$defs`.
 */
export class SharedTypes {
  readonly #types = new Map<ts.Type, SharedType>();
  readonly #open: OpenType[] = [];
  /** The types that contain themselves, in the order in which that was found. */
  readonly #recursive: SharedType[] = [];
  /** What was read for the present value. */
  #ofValue = { types: 0, reads: 0 };

  /** Reads an object type once. Further uses refer to it. */
  share(type: ts.Type, name: string, read: () => ReadValue): ReadValue {
    const known = this.#types.get(type);
    if (known) return this.#use(known);
    const open = { type, declaration: type.symbol?.declarations?.[0], isObject: true };
    this.#check(open, name);
    return this.#inside(open, () => {
      const shared = this.#add(type, name);
      shared.value = read();
      return this.#use(shared);
    });
  }

  /**
   * Reads an array, a union or another type without a name of its own. Uses refer to it only if it
   * contains itself without an object type in between.
   */
  shareIfRecursive(type: ts.Type, read: () => ReadValue): ReadValue {
    const known = this.#types.get(type);
    if (known && (known.value || known.isRecursive || !this.#isObjectInside(type))) return this.#use(known);
    const { aliasSymbol } = type;
    const open = { type, declaration: aliasSymbol?.declarations?.[0], isObject: false };
    const name = aliasSymbol?.name ?? 'Type';
    this.#check(open, name);
    if (known) return this.#inside(open, read);
    return this.#inside(open, () => {
      const shared = this.#add(type, name);
      const value = read();
      if (!shared.isRecursive) {
        this.#types.delete(type);
        this.#ofValue.types--;
        return value;
      }
      shared.value = value;
      return this.#use(shared);
    });
  }

  #add(type: ts.Type, name: string): SharedType {
    const shared = { name, value: undefined, isRecursive: false };
    this.#types.set(type, shared);
    this.#ofValue.types++;
    return shared;
  }

  #use(shared: SharedType): ReadValue {
    if (!shared.value && !shared.isRecursive) {
      shared.isRecursive = true;
      this.#recursive.push(shared);
    }
    return { schema: { $ref: shared }, revive: { ref: shared } };
  }

  #inside(open: OpenType, read: () => ReadValue): ReadValue {
    const { size } = this.#types;
    const { length: recursive } = this.#recursive;
    this.#open.push(open);
    try {
      return read();
    } catch (error) {
      // The types inside may refer to this one, which has no value.
      for (const type of [...this.#types.keys()].slice(size)) this.#types.delete(type);
      // A union does without the type that failed.
      for (const shared of this.#recursive.splice(recursive)) shared.isRecursive = false;
      throw error;
    } finally {
      this.#open.pop();
    }
  }

  /** Whether an object type is read inside of a type, which is read itself. */
  #isObjectInside(type: ts.Type): boolean {
    const last = this.#open.findLastIndex((open) => open.type === type);
    return this.#open.slice(last + 1).some(({ isObject }) => isObject);
  }

  /** Writes a value, with the types that it shares. */
  write(value: ReadValue): Pick<ValueTypes, 'schema' | 'revive' | 'revives'> {
    return new ValueWriter().write(value);
  }

  #check({ declaration }: OpenType, name: string): void {
    if (this.#open.length === 0) this.#ofValue = { types: 0, reads: 0 };
    const nesting = declaration ? this.#open.filter((open) => open.declaration === declaration).length : 0;
    let why: string | undefined;
    if (nesting >= MAX_NESTING) why = `contains '${name}' without end`;
    else if (this.#open.length >= MAX_DEPTH) why = `is nested more than ${MAX_DEPTH} levels deep`;
    else if (this.#ofValue.types >= MAX_TYPES) why = `consists of more than ${MAX_TYPES} types`;
    else if (++this.#ofValue.reads > MAX_READS) why = `consists of more than ${MAX_READS} arrays and unions`;
    if (why === undefined) return;
    throw tooLarge(why);
  }
}

const tooLarge = (why: string): UnsayableType =>
  new UnsayableType(why, 'Write a smaller type, or describe the value with @ToolParam({ schema }).');

/** Writes one value as plain JSON. */
class ValueWriter {
  readonly #uses = new Map<SharedType, number>();
  readonly #names = new Map<SharedType, string>();
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #revives = new Map<string, TypedRevive>();
  #depth = 0;

  write({ schema, revive }: ReadValue): Pick<ValueTypes, 'schema' | 'revive' | 'revives'> {
    this.#count(schema);
    const written = this.#schema(schema);
    const converted = revive && this.#revive(revive);
    return {
      schema: this.#definitions.size === 0 ? written : { ...written, $defs: Object.fromEntries(this.#definitions) },
      ...(converted && { revive: converted }),
      ...(this.#revives.size > 0 && { revives: Object.fromEntries(this.#revives) }),
    };
  }

  #count(schema: JsonSchema): void {
    const { $ref, ...rest } = schema;
    if (typeof $ref === 'object') {
      const shared = $ref as SharedType;
      const uses = this.#uses.get(shared) ?? 0;
      this.#uses.set(shared, uses + 1);
      if (uses === 0) this.#count(shared.value!.schema);
    }
    mapSubschemas(rest, (part) => {
      this.#count(part);
      return part;
    });
  }

  /** The name in `$defs`. Undefined if the type is written where it is used. */
  #nameOf(shared: SharedType): string | undefined {
    if (!shared.isRecursive && (this.#uses.get(shared) ?? 0) < 2) return undefined;
    return remembered(this.#names, shared, () => this.#freeName(shared.name));
  }

  #freeName(wanted: string): string {
    const base = wanted.replace(/[^\w.-]+/g, '_').replace(/^_+|_+$/g, '') || 'Type';
    const taken = new Set(this.#names.values());
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
    return name;
  }

  #schema(schema: JsonSchema): JsonSchema {
    const { $ref, ...rest } = schema;
    if (typeof $ref !== 'object') return this.#each(schema);
    const shared = $ref as SharedType;
    const name = this.#nameOf(shared);
    if (name === undefined) return { ...this.#schema(shared.value!.schema), ...this.#each(rest) };
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, {});
      this.#definitions.set(name, this.#schema(shared.value!.schema));
    }
    return { $ref: `#/$defs/${name}`, ...this.#each(rest) };
  }

  /** Writes the schemas inside of a schema. */
  #each(schema: JsonSchema): JsonSchema {
    if (++this.#depth > MAX_WRITTEN_DEPTH) throw tooLarge(`is nested more than ${MAX_DEPTH} levels deep`);
    const written = mapSubschemas(schema, (part) => this.#schema(part));
    this.#depth--;
    return written;
  }

  #revive(revive: OpenRevive): TypedRevive | undefined {
    if (typeof revive === 'string') return revive;
    if ('ref' in revive) return this.#reference(revive.ref);
    if ('alternatives' in revive) return this.#wrapped(revive.choose(), (chosen) => chosen);
    if ('array' in revive) return this.#wrapped(revive.array, (array) => ({ array }));
    if ('set' in revive) return { set: revive.set && (this.#revive(revive.set) ?? null) };
    if ('map' in revive) return { map: revive.map && (this.#revive(revive.map) ?? null) };
    if ('class' in revive) return revive;
    if ('tuple' in revive) {
      const tuple = revive.tuple.map((item) => item && (this.#revive(item) ?? null));
      const rest = revive.rest && this.#revive(revive.rest);
      return rest || tuple.some(Boolean) ? { tuple, ...(rest && { rest }) } : undefined;
    }
    if ('by' in revive) {
      const cases = this.#record(revive.cases);
      return Object.keys(cases).length > 0 ? { by: revive.by, cases } : undefined;
    }
    if ('kinds' in revive) {
      const kinds = this.#record(revive.kinds);
      return Object.keys(kinds).length > 0 ? { kinds } : undefined;
    }
    const { instance } = revive;
    const object = this.#record(revive.object);
    const values = revive.values && this.#revive(revive.values);
    if (!values && instance === undefined && Object.keys(object).length === 0) return undefined;
    return { object, ...(values && { values }), ...(instance !== undefined && { instance }) };
  }

  #wrapped(inner: OpenRevive | undefined, wrap: (inner: TypedRevive) => TypedRevive): TypedRevive | undefined {
    const written = inner && this.#revive(inner);
    return written && wrap(written);
  }

  #record(record: Readonly<Record<string, OpenRevive>>): Record<string, TypedRevive> {
    return Object.fromEntries(
      Object.entries(record).flatMap(([name, inner]) => {
        const written = this.#revive(inner);
        return written ? [[name, written] as const] : [];
      }),
    );
  }

  #reference(shared: SharedType): TypedRevive | undefined {
    const revive = shared.value?.revive;
    if (!revive || !isConverted({ ref: shared })) return undefined;
    const name = this.#nameOf(shared);
    if (name === undefined) return this.#revive(revive);
    if (!this.#revives.has(name)) {
      // A recursive type refers to itself.
      this.#revives.set(name, 'date');
      this.#revives.set(name, this.#revive(revive)!);
    }
    return { ref: name };
  }
}
