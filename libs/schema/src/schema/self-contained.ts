import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';
import { valueAt } from './json-pointer.js';
import { type Dialect, dialectOf, eachSubschema, HOLDING } from './json-schema-keywords.js';
import { mapSchema } from './map-schema.js';
import { rewriteReferences } from './references.js';

/** A schema that references its own parts by JSON pointers only. */
export interface SelfContainedSchema {
  readonly schema: JsonSchema;
  /** References that cannot be resolved within the schema, resolved against their base id. */
  readonly unresolved: readonly string[];
  /** The schemas that a validator must compile: all except unreferenced definitions. */
  readonly reached: Iterable<JsonSchema>;
}

/** The maximum length of a URI. */
const LONGEST_URI = 2000;

/** The base URI of schemas without an id. */
const NO_ID = 'schema://input/';

/**
 * Removes ids and anchors from a schema and rewrites references to them as JSON pointers. Then ids
 * cannot clash with those of other schemas or of a metaschema.
 */
export function selfContained(schema: JsonSchema): SelfContainedSchema {
  return new References(schema, dialectOf(schema)).resolve();
}

/** A schema, where it is, and the base of the schema around it. */
interface Located {
  readonly schema: JsonSchema;
  readonly pointer: string;
  readonly outer: string;
}

class References {
  /** The base id of each schema's references. */
  readonly #bases = new Map<JsonSchema, string>();
  /** The JSON pointers of ids and anchors. */
  readonly #named = new Map<string, string>([[NO_ID, '']]);
  readonly #reached = new Set<JsonSchema>();
  readonly #pointers = new Map<JsonSchema, string>();
  readonly #unresolved = new Set<string>();
  #hasNames = false;
  /** Whether there is a dynamic reference, which depends on the ids around it. */
  #isDynamic = false;

  constructor(
    private readonly root: JsonSchema,
    private readonly dialect: Dialect,
  ) {}

  resolve(): SelfContainedSchema {
    this.#locate(this.root, '', NO_ID);
    this.#reach(this.root);
    const schema = this.#hasNames && !this.#isDynamic ? this.#rewritten() : this.root;
    return { schema, unresolved: [...this.#unresolved], reached: this.#reached };
  }

  /** Without recursion: a foreign schema may be nested deeper than the call stack allows. */
  #locate(schema: JsonSchema, pointer: string, outer: string): void {
    const open: Located[] = [{ schema, pointer, outer }];
    for (let next = open.pop(); next; next = open.pop()) {
      if (this.#bases.has(next.schema)) continue;
      const base = this.#locateOne(next);
      const { pointer: above } = next;
      const children: Located[] = [];
      eachSubschema(next.schema, this.dialect, (child, at) =>
        children.push({ schema: child, pointer: above + at, outer: base }),
      );
      open.push(...children.reverse());
    }
  }

  #locateOne({ schema, pointer, outer }: Located): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    const [id, fragment] = typeof $id === 'string' ? splitReference($id) : [''];
    const base = (id && absolute(id, outer)) || outer;
    this.#bases.set(schema, base);
    if (base !== outer) this.#name(base, pointer);
    for (const anchor of [$anchor, $dynamicAnchor, fragment]) {
      if (typeof anchor === 'string' && anchor !== '') this.#name(`${base}#${anchor}`, pointer);
    }
    if ($id !== undefined || $anchor !== undefined) this.#hasNames = true;
    if ('$dynamicRef' in schema || '$recursiveRef' in schema) this.#isDynamic = true;
    return base;
  }

  #name(uri: string, pointer: string): void {
    if (!this.#named.has(uri)) this.#named.set(uri, pointer);
  }

  #reach(root: JsonSchema): void {
    const open = [root];
    for (let schema = open.pop(); schema; schema = open.pop()) {
      if (this.#reached.has(schema)) continue;
      this.#reached.add(schema);
      const target = typeof schema.$ref === 'string' ? this.#follow(schema, schema.$ref) : undefined;
      const children: JsonSchema[] = [];
      eachSubschema(schema, this.dialect, (child, _at, keyword) => {
        if (!HOLDING.has(keyword)) children.push(child);
      });
      open.push(...children.reverse(), ...(target ? [target] : []));
    }
  }

  /** The schema that a reference leads to, if there is one. */
  #follow(schema: JsonSchema, reference: string): JsonSchema | undefined {
    const base = this.#bases.get(schema)!;
    const pointer = this.#pointerOf(reference, base);
    const target = pointer === undefined ? undefined : valueAt(this.root, pointer);
    if (pointer === undefined || (!isJsonObject(target) && typeof target !== 'boolean')) {
      this.#unresolved.add((base !== NO_ID && absolute(reference, base)) || reference);
      return undefined;
    }
    this.#pointers.set(schema, `#${encodeURI(pointer).replaceAll('#', '%23')}`);
    if (!isJsonObject(target)) return undefined;
    // The target may be under an unknown keyword, such as `components`.
    this.#locate(target, pointer, base);
    return target;
  }

  #pointerOf(reference: string, base: string): string | undefined {
    const [uri, fragment = ''] = splitReference(reference);
    const resource = uri === '' ? base : absolute(uri, base);
    if (resource === undefined) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) return this.#named.get(`${resource}#${fragment}`);
    const start = this.#named.get(resource);
    return start === undefined ? undefined : start + decoded(fragment);
  }

  #rewritten(): JsonSchema {
    const rewritten = rewriteReferences(this.root, (reference, holder) => this.#pointers.get(holder) ?? reference);
    return mapSchema(rewritten, ({ $id: _id, $anchor: _anchor, ...rest }) => rest);
  }
}

/** Splits a reference at the `#`. */
function splitReference(reference: string): [uri: string, fragment?: string] {
  const at = reference.indexOf('#');
  return at < 0 ? [reference] : [reference.slice(0, at), reference.slice(at + 1)];
}

/**
 * Returns undefined for invalid and overlong URIs. Thousands of ids may be resolved against their
 * bases, so long ones take too much time.
 */
function absolute(uri: string, base: string): string | undefined {
  if (uri.length > LONGEST_URI || base.length > LONGEST_URI) return undefined;
  return URL.canParse(uri, base) ? new URL(uri, base).href : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return fragment;
  }
}
