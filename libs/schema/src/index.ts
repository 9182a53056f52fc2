/**
 * From classes, types, Standard Schema and JSON Schema to schemas, checks and values. Applications use it
 * through `@nestor-ai/core`.
 *
 * @module @nestor-ai/schema
 */
export { declaredOutput } from './declaration/declared-output.js';
export { CALL_CONTEXT } from './declaration/injected-parameter.js';
export {
  type InputSource,
  type MethodInput,
  readMethodInput,
  type ToolInputSources,
  type ToolParameter,
} from './declaration/method-input.js';
export { describeMethod } from './declaration/parameter-names.js';
export { ToolDeclarationException, UnknownTypeException } from './declaration/tool-declaration.exception.js';
export {
  findParameterParam,
  ToolParam,
  type ToolParamOptions,
  type ToolParamType,
} from './declaration/tool-param.decorator.js';
export { compileCoercion } from './input/coerce.js';
export { declaredInput } from './input/declared-input.js';
export { DtoInput } from './input/dto-input.js';
export { checkSchema } from './input/json-schema-check.js';
export { JsonSchemaInput } from './input/json-schema-input.js';
export { compileValidator, issuesIn } from './input/json-schema-validator.js';
export { ObjectInput } from './input/object-input.js';
export { asParsed, jsonProblemOf, losesDigits, parseJson, parseToolInput } from './input/parse-json.js';
export { linearPatternOf } from './input/patterns.js';
export { isPrimitiveType } from './input/primitive-input.js';
export { isStandardSchema, type StandardSchema } from './input/standard-schema-input.js';
export {
  InvalidInput,
  MAX_ISSUES,
  rejectInput,
  type ToolInput,
  ToolInputException,
  type ToolInputIssue,
  type UnknownArguments,
  violationsText,
} from './input/tool-input.js';
export { NO_CODE_GENERATION, UnenforceableSchemaException } from './input/unenforceable-schema.exception.js';
export { isJsonObject } from './json/is-json-object.js';
export { isPlainObject } from './json/is-plain-object.js';
export { estimateTokens } from './json/estimate-tokens.js';
export { freezeSchema, type JsonSchema } from './json/json-schema.js';
export { messageOf } from './json/message-of.js';
export { readSafely } from './json/read-safely.js';
export { contentJson, stableJson, UnknownContentException } from './json/stable-json.js';
export { transformerStorage } from './lazy-modules.cjs';
export { isDto } from './schema/class-description.js';
export { dtoSchema } from './schema/dto-schema.js';
export { rewriteReferences } from './schema/references.js';
export { type JsonSchemaGeneratorOptions, schemaForType } from './schema/schema-for-type.js';
export { checkSchemaWork } from './schema/schema-work.js';
export { isMinified, readSourceParameters } from './schema/source-parameters.js';
export { classNameOf, type Constructor, isInstanceOf, isType, lineageOf, ownValuesOf, type Type } from './type.js';
export {
  CLASS_TYPES,
  type ClassTypes,
  type ClassTypesFactory,
  type MethodTypes,
  type ValueTypes,
} from './typed/class-types.js';
export { BUILD_AGAIN, hasTypes, otherVersionText } from './typed/loaded-types.js';
export { sourceHash } from './typed/source-hash.js';
export { typedMethodOf } from './typed/typed-members.js';
export { hasPattern } from './typed/typed-property.js';
