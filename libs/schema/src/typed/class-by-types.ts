import type { JsonSchema } from '../json/json-schema.js';
import type { Type } from '../type.js';
import type { ValueTypes } from './class-types.js';
import type { LoadedTypes } from './loaded-types.js';

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
