import type { JsonSchema } from '../json/json-schema.js';
import { messageOf } from '../json/message-of.js';
import { remembered } from '../json/remembered.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isType, type Type } from '../type.js';
import {
  CLASS_TYPES,
  CLASS_TYPES_VERSION,
  type ClassTypes,
  type ClassTypesFactory,
  type ValueTypes,
} from './class-types.js';

/** What to do about types that do not fit the code. Ends a message. */
export const BUILD_AGAIN = 'Build again. If you use nestor-schemas, run it again first.';

/** The types of a class, read once. */
export interface LoadedTypes {
  readonly types: ClassTypes;
  /** Whether schemas may refer to other classes. */
  readonly hasClasses: boolean;
  /**
   * The class with an index.
   *
   * @throws ToolDeclarationException when it does not exist (yet)
   */
  classAt(index: number): Type;
}

// The factory is called once for each class. It is the key, because `pluginMetadata` may add it to
// a class that was asked before.
const loaded = new WeakMap<ClassTypesFactory, LoadedTypes>();

/** Whether a class or an ancestor has types. One lookup along the prototype chain. */
export function hasTypes(type: unknown): boolean {
  return typeof type === 'function' && CLASS_TYPES in type;
}

/**
 * The types of the members that a class declares itself. Undefined if the class has none.
 *
 * @throws ToolDeclarationException when another version wrote them, or they do not fit the class
 */
export function ownTypesOf(type: unknown): LoadedTypes | undefined {
  if (typeof type !== 'function') return undefined;
  const factory: unknown = Object.getOwnPropertyDescriptor(type, CLASS_TYPES)?.value;
  if (typeof factory !== 'function') return undefined;
  return remembered(loaded, factory as ClassTypesFactory, () => load(type as Type, factory as ClassTypesFactory));
}

/**
 * The class that TypeScript emits for a value with these types. Some compilers emit none. Only the
 * classes that matter for conversion: classes with decorators, Date, Set and Map.
 */
export function classByTypes({ schema, revive }: ValueTypes, of: LoadedTypes): Type | undefined {
  const index = schema && classIndexOf(schema);
  if (index !== undefined) return of.classAt(index);
  if (revive === 'date') return Date;
  if (typeof revive !== 'object') return undefined;
  return 'set' in revive ? Set : 'map' in revive ? Map : undefined;
}

/** The index of the class that a schema refers to: `class:0`. */
export function classIndexOf({ $ref }: JsonSchema): number | undefined {
  return typeof $ref === 'string' && $ref.startsWith('class:') ? Number($ref.slice('class:'.length)) : undefined;
}

/** The text about types that another version of this package wrote. Undefined if this one did. */
export function otherVersionText(name: string, types: unknown): string | undefined {
  const version = typeof types === 'object' && types !== null ? (types as Partial<ClassTypes>).version : undefined;
  if (version === CLASS_TYPES_VERSION) return undefined;
  return (
    `The types of ${name} were written by another version of @nestor-ai/core (format ${JSON.stringify(version) ?? 'unknown'} ` +
    `instead of ${CLASS_TYPES_VERSION}). ${BUILD_AGAIN}`
  );
}

function load(type: Type, factory: ClassTypesFactory): LoadedTypes {
  const types = read(type, factory);
  const text = otherVersionText(type.name, types);
  if (text !== undefined) throw new ToolDeclarationException(text);
  refuseMissing(type, types.methods, type.prototype as object);
  refuseMissing(type, types.statics, type);
  const { classes = [] } = types;
  return {
    types,
    hasClasses: classes.length > 0,
    classAt: (index) => {
      const { found, reason } = resolveClass(classes[index]);
      if (found) return found;
      throw new ToolDeclarationException(
        `The types of ${type.name} refer to a class that is not there (${reason}). ${BUILD_AGAIN} If two files import each ` +
          'other, the class may not exist yet: move one of the classes to a third file.',
      );
    },
  };
}

function read(type: Type, factory: ClassTypesFactory): ReturnType<ClassTypesFactory> {
  try {
    return factory.call(type);
  } catch (cause) {
    throw new ToolDeclarationException(
      `The types of ${type.name} cannot be read: ${messageOf(cause)}. ${BUILD_AGAIN}`,
      {
        cause,
      },
    );
  }
}

/** @throws ToolDeclarationException when the class has types for a method that it lacks */
function refuseMissing(type: Type, methods: ClassTypes['methods'], holder: object): void {
  const missing = Object.keys(methods ?? {}).find((name) => !(name in holder));
  if (missing === undefined) return;
  throw new ToolDeclarationException(
    `${type.name} has types for ${type.name}.${missing}(), but no such method: the types are older or newer than the code. ${BUILD_AGAIN}`,
  );
}

function resolveClass(named: (() => Type) | undefined): { readonly found?: Type; readonly reason?: string } {
  try {
    const found: unknown = named?.();
    return isType(found) ? { found } : { reason: `it is ${String(found)}` };
  } catch (error) {
    // A class of a file that is still being loaded.
    return { reason: messageOf(error) };
  }
}
