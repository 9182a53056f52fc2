import { type ChatOptions, type JsonSchema, offeredToolDefinitions } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { CallOptions } from '../specification.js';
import { type DialectSchema, dialectOf, isGoogle } from './schema-dialect.js';
import { UnsayableSchemaException } from './unsayable-schema.exception.js';

/**
 * Whether the model can follow the schema of an answer. If not, the prompt describes it in words.
 *
 * What the packages do with a schema:
 * - openai, azure, groq, xai, mistral and ollama send it as a native format, unless the provider
 *   option `structuredOutputs` of groq and mistral is false: then they only ask for JSON.
 * - openai-compatible sends it if `supportsStructuredOutputs` is set. Otherwise it warns, asks for
 *   JSON and drops the schema.
 * - anthropic and amazon-bedrock send it natively, or as a tool that the model must call, or in
 *   words, as the model needs it.
 * - deepseek asks for JSON and adds the schema to the system messages.
 * - google sends it natively. Before Gemini 3, the API refuses a request that asks for JSON and
 *   has tools.
 * - completion models of all packages warn and drop it.
 */
export function supportsOutputSchema(
  schema: JsonSchema,
  options: ChatOptions | undefined,
  model: AiSdkLanguageModel,
): boolean {
  if ((model as { supportsStructuredOutputs?: unknown }).supportsStructuredOutputs === false) return false;
  if (model.provider.endsWith('.completion') || isTurnedOff(options, 'structuredOutputs')) return false;
  if (isGoogle(model) && hasTools(options) && !MIXES_TOOLS_AND_JSON.test(model.modelId)) return false;
  return toAnswerSchema(schema, options, model) !== undefined;
}

/** Gemini 3 and later, as Google's package recognizes them: Gemini, but none of the older ones. */
const MIXES_TOOLS_AND_JSON = /(?:^|\/)gemini-(?!1(?:[.-]|$)|2(?:[.-]|$)|pro(?:-vision)?$|robotics-er-1\.5)/i;

/** The response format for the schema of an answer. */
export function toResponseFormat(
  schema: JsonSchema,
  options: ChatOptions,
  model: AiSdkLanguageModel,
): NonNullable<CallOptions['responseFormat']> {
  // A direct caller may ask for a schema that the provider does not support. Its error says so.
  return { type: 'json', schema: toAnswerSchema(schema, options, model) ?? schema };
}

// A schema is asked about before it is sent, and sent with each request of its turn.
const strictSchemas = new WeakMap<AiSdkLanguageModel, WeakMap<JsonSchema, Converted>>();
const looseSchemas = new WeakMap<AiSdkLanguageModel, WeakMap<JsonSchema, Converted>>();

interface Converted {
  readonly schema: JsonSchema | undefined;
}

function toAnswerSchema(
  schema: JsonSchema,
  options: ChatOptions | undefined,
  model: AiSdkLanguageModel,
): JsonSchema | undefined {
  const { toStrict, toAnswer, hasStrictAnswers } = dialectOf(model);
  const isStrict = toStrict !== undefined && hasStrictAnswers && !isTurnedOff(options, 'strictJsonSchema');
  const schemas = isStrict ? strictSchemas : looseSchemas;
  let ofModel = schemas.get(model);
  if (!ofModel) schemas.set(model, (ofModel = new WeakMap()));
  let converted = ofModel.get(schema);
  if (!converted) ofModel.set(schema, (converted = convert(schema, isStrict ? toStrict : toAnswer)));
  return converted.schema;
}

function convert(schema: JsonSchema, write: (schema: JsonSchema) => DialectSchema): Converted {
  try {
    const { absentNulls, hasHiddenNulls, schema: written } = write(schema);
    // The text of an answer stays as the model wrote it. Its reader removes the nulls that it finds.
    const isReadable = !absentNulls || !(hasHiddenNulls || COMBINED.some((keyword) => keyword in schema));
    return { schema: isReadable ? written : undefined };
  } catch (error) {
    if (error instanceof UnsayableSchemaException) return { schema: undefined };
    throw error;
  }
}

const COMBINED = ['anyOf', 'oneOf', 'allOf'];

/** Whether an option of a provider, which has the same name in all packages, is false. */
function isTurnedOff(options: ChatOptions | undefined, option: string): boolean {
  return Object.values(options?.providerOptions ?? {}).some((ofProvider) => ofProvider[option] === false);
}

function hasTools(options: ChatOptions | undefined): boolean {
  return offeredToolDefinitions(options).length > 0 || (options?.providerTools?.length ?? 0) > 0;
}
