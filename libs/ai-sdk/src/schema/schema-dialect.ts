import type { JsonSchema } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import { toGeminiSchema } from './gemini-schema.js';
import { completed, toObjectRoot } from './object-root.js';
import { CLAUDE_STRICT, DEEPSEEK_STRICT, OPENAI_STRICT } from './strict-rules.js';
import { type StrictSchema, toStrictSchema } from './strict-schema.js';
import { UnsayableSchemaException } from './unsayable-schema.exception.js';

/** A schema in a form that the model's provider accepts. */
export type DialectSchema = StrictSchema;

/** What the API of a provider accepts as the schema of a tool or an answer. */
export interface SchemaDialect {
  /** @throws UnsayableSchemaException for what the provider's package or API refuses */
  toTool(schema: JsonSchema): DialectSchema;
  /** @throws UnsayableSchemaException likewise */
  toAnswer(schema: JsonSchema): DialectSchema;
  /**
   * For strict mode. Undefined if the provider has none, or none that needs another schema.
   *
   * @throws UnsayableSchemaException for what strict mode cannot express
   */
  readonly toStrict?: (schema: JsonSchema) => DialectSchema;
  /** Whether the package asks for strict answers unless an option turns that off. */
  readonly hasStrictAnswers: boolean;
}

function dialect(
  write: (schema: JsonSchema) => JsonSchema,
  toStrict?: (schema: JsonSchema) => DialectSchema,
  hasStrictAnswers = false,
): SchemaDialect {
  const loose = (schema: JsonSchema): DialectSchema => ({ schema: write(schema) });
  return { toTool: loose, toAnswer: loose, hasStrictAnswers, ...(toStrict && { toStrict }) };
}

const openAiStrict = (schema: JsonSchema): DialectSchema => toStrictSchema(strictRoot(schema), OPENAI_STRICT);
const OPENAI = dialect(toObjectRoot, openAiStrict, true);
const GROQ = dialect(completed, openAiStrict, true);
const DEEPSEEK = dialect(completed, (schema) => toStrictSchema(strictRoot(schema), DEEPSEEK_STRICT));
const CLAUDE = dialect(toObjectRoot, (schema) => toStrictSchema(strictRoot(schema), CLAUDE_STRICT));
/** Version 4 of Google's package sends JSON Schemas as they are. */
const GEMINI_JSON = dialect(toObjectRoot);
const GEMINI: SchemaDialect = {
  toTool: (schema) => toGeminiSchema(schema),
  toAnswer(schema) {
    const written = toGeminiSchema(schema);
    if (!written.isRecursive) return written;
    throw new UnsayableSchemaException('', 'contains itself', 'Limit the depth with separate types.');
  },
  hasStrictAnswers: false,
};
/** Strict mode is OpenAI's invention, so servers that follow its API have the same rules. */
const OTHERS = dialect(completed, openAiStrict);
const COMPATIBLE = dialect(completed, openAiStrict, true);

/** The first match of {@link familyOf} counts. Gemini's dialect depends on the package's version. */
const DIALECTS: readonly (readonly [RegExp, SchemaDialect])[] = [
  [/^azure\.deepseek/, DEEPSEEK],
  [/^(?:openai|azure)(?:\.|$)/, OPENAI],
  [/anthropic|^amazon-bedrock|^bedrock/, CLAUDE],
  [/^google\.interactions/, GEMINI_JSON],
  [/^groq/, GROQ],
  [/^deepseek/, DEEPSEEK],
];

/** The dialect of a model. */
export function dialectOf(model: AiSdkLanguageModel): SchemaDialect {
  const family = familyOf(model);
  const found = DIALECTS.find(([pattern]) => pattern.test(family));
  if (found) return found[1];
  if (isGoogle(model)) return model.specificationVersion === 'v3' ? GEMINI : GEMINI_JSON;
  return 'supportsStructuredOutputs' in model ? COMPATIBLE : OTHERS;
}

/** Whether Google's package sends the request, or the AI Gateway passes it to that package. */
export function isGoogle(model: AiSdkLanguageModel): boolean {
  return /^google|^vertex$/.test(familyOf(model));
}

/** The provider. The AI Gateway names it in the id of the model: `openai/gpt-5`. */
function familyOf({ provider, modelId }: AiSdkLanguageModel): string {
  return provider === 'gateway' ? modelId.split('/', 1)[0]! : provider;
}

/** The root that strict mode needs. An object without declared properties stays recognizable. */
function strictRoot(schema: JsonSchema): JsonSchema {
  return schema.type === 'object' && schema.properties === undefined && schema.additionalProperties !== false
    ? schema
    : toObjectRoot(schema);
}
