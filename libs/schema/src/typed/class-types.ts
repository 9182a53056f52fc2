import type { JsonSchema } from '../json/json-schema.js';
import type { Type } from '../type.js';

/**
 * The key under which a class has its {@link ClassTypes}, as a function that returns them. The
 * compiler plugin writes the function into the class; `pluginMetadata` adds it at startup.
 */
export const CLASS_TYPES: unique symbol = Symbol.for('nestor.ClassTypes') as never;

/** What the types and comments of a class say about its tools and properties. Plain JSON. */
export interface ClassTypes {
  /** The format of this object. Another one stops the bootstrap. */
  readonly version: typeof CLASS_TYPES_VERSION;
  /**
   * The `@Tool()` methods that the class declares or overrides, and those that it inherits from a
   * generic class with types of its own.
   */
  readonly methods?: Readonly<Record<string, MethodTypes>>;
  /** The same for static methods. */
  readonly statics?: Readonly<Record<string, MethodTypes>>;
  /** The properties of a class with decorators, without inherited ones. */
  readonly properties?: Readonly<Record<string, PropertyTypes>>;
  /** The sources of all these types: paths relative to the project's folder, and hashes of the files. */
  readonly sources: Readonly<Record<string, string>>;
}

export const CLASS_TYPES_VERSION = 1;

/** {@link ClassTypes}, and the classes that they name by their index. */
export type ClassTypesFactory = () => ClassTypes & { readonly classes?: readonly (() => Type)[] };

/** What the types and comments of a method say. */
export interface MethodTypes {
  /** The comment of the method, without its tags. */
  readonly description?: string;
  /** All parameters in order. */
  readonly parameters: readonly ParameterTypes[];
  /** The schema of the result, self-contained. Undefined if no schema describes it, or it is no object. */
  readonly output?: JsonSchema;
  /** Whether it returns a function, so that it is no tool. */
  readonly returnsFunction?: true;
}

/** What the types and comments of a parameter say. */
export interface ParameterTypes extends ValueTypes {
  /** Undefined if it is destructured. */
  readonly name?: string;
  /** Whether it has neither a question mark nor a default value. */
  readonly required: boolean;
  /**
   * The application passes the value: an `AbortSignal` if the emitted type or `'signal'` says so,
   * otherwise a `ToolContext`.
   */
  readonly isInjected?: true | 'signal';
}

/** What the types and comments of a property say. */
export interface PropertyTypes extends ValueTypes {
  /** Whether the property has a question mark, or may be undefined. */
  readonly isOptional?: true;
  /** The index of the class whose `@ToolParam()` describes it. `PartialType()` and its like do not copy it. */
  readonly paramOf?: number;
}

/** What the types and comments of a value say. Without `schema`: the type is not known to the plugin. */
export interface ValueTypes {
  /** From the comment. The schema has it as well. */
  readonly description?: string;
  /**
   * Self-contained: its references lead to its own `$defs`. `{ "$ref": "class:0" }` stands for the
   * schema of a class, which its decorators describe.
   */
  readonly schema?: JsonSchema;
  /** How the JSON value becomes what the code expects. Undefined if it is passed as it is. */
  readonly revive?: TypedRevive;
  /** The conversions of recursive types, by their names in `$defs`. */
  readonly revives?: Readonly<Record<string, TypedRevive>>;
  /** Why no schema can describe the type, with place and remedy. Stops the bootstrap. */
  readonly error?: string;
}

/** How a JSON value becomes what the code expects. Values of other kinds are passed as they are. */
export type TypedRevive<Reference = string, Other = never> =
  | 'date'
  | 'url'
  /** Each item of an array. */
  | { readonly array: TypedRevive<Reference, Other> }
  /** The items of a tuple by position, and those after them. */
  | { readonly tuple: readonly (TypedRevive<Reference, Other> | null)[]; readonly rest?: TypedRevive<Reference, Other> }
  /** An array that becomes a Set. */
  | { readonly set: TypedRevive<Reference, Other> | null }
  /** An object that becomes a Map with texts as keys. */
  | { readonly map: TypedRevive<Reference, Other> | null }
  /**
   * The properties of an object, and those that it does not name. With `instance`, the object
   * becomes an instance of the class with this index, which has no decorators.
   */
  | {
      readonly object: Readonly<Record<string, TypedRevive<Reference, Other>>>;
      readonly values?: TypedRevive<Reference, Other>;
      readonly instance?: number;
    }
  /** An instance of the class with this index, which its decorators convert and validate. */
  | { readonly class: number }
  /** An object of one of several types, by the value of a property, as text. */
  | { readonly by: string; readonly cases: Readonly<Record<string, TypedRevive<Reference, Other>>> }
  /** One of several types, by the kind of the JSON value. */
  | { readonly kinds: Readonly<Partial<Record<JsonKind, TypedRevive<Reference, Other>>>> }
  /** One of `revives`. */
  | { readonly ref: Reference }
  /** What the compiler plugin has not chosen yet. */
  | Other;

export type JsonKind = 'string' | 'number' | 'boolean' | 'array' | 'object';
