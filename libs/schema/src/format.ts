/**
 * What the compiler plugin shares with the application that it builds: the format of its metadata, and
 * the schemas of types. It runs in the compiler, so nothing here loads Nest.
 *
 * @module @nestor-ai/schema/format
 */
export { estimateTokens } from './json/estimate-tokens.js';
export { isJsonObject } from './json/is-json-object.js';
export type { JsonSchema } from './json/json-schema.js';
export { messageOf } from './json/message-of.js';
export { remembered } from './json/remembered.js';
export { DATE_SCHEMA } from './schema/dates.js';
export { enumSchema } from './schema/enum-schema.js';
export { mapSubschemas } from './schema/map-schema.js';
export { setOf } from './schema/set-schema.js';
export { withNull } from './schema/with-null.js';
export {
  CLASS_TYPES,
  CLASS_TYPES_VERSION,
  type ClassTypes,
  type ClassTypesFactory,
  type JsonKind,
  type MethodTypes,
  type ParameterTypes,
  type PropertyTypes,
  type TypedRevive,
  type ValueTypes,
} from './typed/class-types.js';
export { sourceHash } from './typed/source-hash.js';
