import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { pathInside } from '../input/tool-input.js';
import { isJsonObject } from '../json/is-json-object.js';
import { readDefaults } from '../schema/class-defaults.js';
import { isDto } from '../schema/class-description.js';
import { type Binding, refused, type Revive, reviveDate, reviveInstance } from '../schema/revive.js';
import type { JsonKind, TypedRevive, ValueTypes } from './class-types.js';
import { BUILD_AGAIN, type LoadedTypes } from './loaded-types.js';

/**
 * Compiles the conversion of a value that types describe. Values that are not what the types
 * expect, such as null and default values that are already converted, are passed as they are.
 *
 * @param isValidated whether class-validator validates its class instances without our help
 * @returns undefined if the JSON value needs no conversion
 * @throws ToolDeclarationException when the types refer to something that does not exist, or to a class that cannot be
 *   instantiated without arguments
 */
export function compileRevive(types: ValueTypes, of: LoadedTypes, isValidated = false): Revive | undefined {
  return types.revive === undefined ? undefined : new ReviveCompiler(types, of, isValidated).compile(types.revive);
}

type Named<Kind> = Extract<TypedRevive, Kind>;

class ReviveCompiler {
  readonly #named = new Map<string, { revive?: Revive }>();

  constructor(
    private readonly types: ValueTypes,
    private readonly of: LoadedTypes,
    private readonly isValidated: boolean,
  ) {}

  compile(revive: TypedRevive): Revive {
    if (revive === 'date') return reviveDate;
    if (revive === 'url') return reviveUrl;
    if ('array' in revive) return reviveItems(this.compile(revive.array));
    if ('tuple' in revive) return this.#tuple(revive);
    if ('set' in revive) return this.#set(revive.set);
    if ('map' in revive) return this.#map(revive.map);
    if ('class' in revive) return this.#class(revive.class);
    if ('by' in revive) return this.#by(revive);
    if ('kinds' in revive) return this.#kinds(revive);
    if ('ref' in revive) return this.#reference(revive.ref);
    return this.#object(revive);
  }

  #class(index: number): Revive {
    const revive = reviveInstance(this.of.classAt(index), this.isValidated);
    return (value, path, binding) => (isPlainObject(value) ? revive(value, path, binding) : value);
  }

  #tuple({ tuple, rest }: Named<{ tuple: unknown }>): Revive {
    const items = tuple.map((item) => item && this.compile(item));
    const others = rest && this.compile(rest);
    return (value, path, binding) => {
      if (!Array.isArray(value)) return value;
      return value.map((item: unknown, index) => {
        const revive = index < items.length ? items[index] : others;
        return revive ? revive(item, `${path}[${index}]`, binding) : item;
      });
    };
  }

  #set(item: TypedRevive | null): Revive {
    const items = item && reviveItems(this.compile(item));
    return (value, path, binding) => {
      // class-transformer already creates a Set, but does not convert its items.
      if (!Array.isArray(value) && !(value instanceof Set && items)) return value;
      return new Set(items ? (items([...(value as Iterable<unknown>)], path, binding) as unknown[]) : value);
    };
  }

  #map(item: TypedRevive | null): Revive {
    const revive = item && this.compile(item);
    return (value, path, binding) => {
      if (!isPlainObject(value)) return value;
      const entries = Object.entries(value);
      return new Map(
        revive ? entries.map(([key, entry]) => [key, revive(entry, pathInside(path, key), binding)]) : entries,
      );
    };
  }

  #object({ object, values, instance }: Named<{ object: unknown }>): Revive {
    const named = new Map(Object.entries(object).map(([key, revive]) => [key, this.compile(revive)]));
    const others = values && this.compile(values);
    const type = instance === undefined ? undefined : this.of.classAt(instance);
    // A constructor that fails without values would fail at each call.
    if (type) readDefaults(type);
    // The compiler does not know what the decorators of other packages do.
    const isUnvalidated = type !== undefined && isDto(type) && !this.isValidated;
    return (value, path, binding) => {
      if (!isPlainObject(value)) return value;
      const target = type ? binding.instantiate(type, value, path) : { ...value };
      // The value is refused: the binding has an issue.
      if (!target) return undefined;
      if (isUnvalidated) binding.unvalidated.push({ path, instance: target });
      for (const key of Object.keys(value)) {
        const revive = named.get(key) ?? others;
        if (revive) reviveProperty(target as Record<string, unknown>, key, revive, pathInside(path, key), binding);
      }
      return target;
    };
  }

  #by({ by, cases }: Named<{ by: string }>): Revive {
    const compiled = new Map(Object.entries(cases).map(([text, revive]) => [text, this.compile(revive)]));
    return (value, path, binding) => {
      if (!isPlainObject(value)) return value;
      // A class sets it by itself, but here it says which class is meant.
      if (!Object.hasOwn(value, by)) return refused(value, pathInside(path, by), binding, 'is required');
      const mark = value[by];
      const revive = typeof mark === 'object' ? undefined : compiled.get(String(mark));
      return revive ? revive(value, path, binding) : value;
    };
  }

  #kinds({ kinds }: Named<{ kinds: unknown }>): Revive {
    const compiled = new Map(Object.entries(kinds).map(([kind, revive]) => [kind, this.compile(revive)]));
    return (value, path, binding) => {
      const revive = compiled.get(kindOf(value) ?? '');
      return revive ? revive(value, path, binding) : value;
    };
  }

  /** A type may contain itself, so the conversion may not be there before the others are. */
  #reference(name: string): Revive {
    const { revives = {} } = this.types;
    const named = Object.hasOwn(revives, name) ? revives[name] : undefined;
    if (named === undefined) {
      throw new ToolDeclarationException(`The types lack the conversion '${name}'. ${BUILD_AGAIN}`);
    }
    let known = this.#named.get(name);
    if (!known) {
      this.#named.set(name, (known = {}));
      known.revive = this.compile(named);
    }
    const compiled = known;
    return (value, path, binding) => compiled.revive!(value, path, binding);
  }
}

const reviveUrl: Revive = (value, path, binding) => {
  if (typeof value !== 'string') return value;
  return URL.canParse(value) ? new URL(value) : refused(value, path, binding, 'must be an absolute URL');
};

function reviveItems(revive: Revive): Revive {
  return (value, path, binding) =>
    Array.isArray(value) ? value.map((item: unknown, index) => revive(item, `${path}[${index}]`, binding)) : value;
}

function reviveProperty(
  target: Record<string, unknown>,
  key: string,
  revive: Revive,
  path: string,
  binding: Binding,
): void {
  const isOwn = Object.hasOwn(target, key);
  // It would be the prototype. class-transformer leaves such a property out.
  if (!isOwn && key === '__proto__') return;
  const before = target[key];
  if (before === undefined || before === null) return;
  const after = revive(before, path, binding);
  if (after === before) return;
  if (isOwn) Object.defineProperty(target, key, { value: after });
  else target[key] = after;
}

/** An object from JSON. A default value may already be a Map or an instance of a class. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: unknown): JsonKind | undefined {
  if (Array.isArray(value)) return 'array';
  const kind = typeof value;
  if (kind === 'string' || kind === 'number' || kind === 'boolean') return kind;
  return isPlainObject(value) ? 'object' : undefined;
}
