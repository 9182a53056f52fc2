import { ChatModelException, type ToolDefinition } from '@nestor-ai/core';
import { Logger } from '@nestjs/common';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { FunctionTool, JsonObject } from '../specification.js';
import { type DialectSchema, dialectOf } from './schema-dialect.js';
import { UnsayableSchemaException } from './unsayable-schema.exception.js';

/** A tool as the model receives it. */
export interface SentTool extends Pick<DialectSchema, 'absentNulls'> {
  readonly tool: FunctionTool;
}

const logger = new Logger('AiSdkChatModel');

// Definitions are frozen, so each is only converted once for a model.
const known = new WeakMap<AiSdkLanguageModel, WeakMap<ToolDefinition, SentTool>>();

/**
 * Converts a tool for a model, with a schema that its provider accepts. A strict tool whose schema
 * strict mode cannot express is sent without strict mode, and a log line says why.
 *
 * @throws ChatModelException that names the tool, the place and the remedy if the provider would
 * refuse the whole request
 */
export function toSentTool(definition: ToolDefinition, model: AiSdkLanguageModel): SentTool {
  let ofModel = known.get(model);
  if (!ofModel) known.set(model, (ofModel = new WeakMap()));
  let sent = ofModel.get(definition);
  if (!sent) ofModel.set(definition, (sent = convert(definition, model)));
  return sent;
}

function convert(definition: ToolDefinition, model: AiSdkLanguageModel): SentTool {
  const { name, description, inputExamples, providerOptions } = definition;
  const { strict, schema, absentNulls } = toSchema(definition, model);
  return {
    tool: {
      type: 'function',
      name,
      description: description.toWellFormed(),
      inputSchema: schema,
      ...(strict !== undefined && { strict }),
      ...(inputExamples && { inputExamples: inputExamples.map((input) => ({ input: input as JsonObject })) }),
      ...(providerOptions && { providerOptions }),
    },
    ...(absentNulls && { absentNulls }),
  };
}

function toSchema(
  { name, inputSchema, strict }: ToolDefinition,
  model: AiSdkLanguageModel,
): DialectSchema & { strict: boolean | undefined } {
  const { toStrict, toTool } = dialectOf(model);
  const named = `the model '${model.modelId}' of ${model.provider}`;
  if (strict === true && toStrict) {
    try {
      return { ...toStrict(inputSchema), strict };
    } catch (error) {
      if (!(error instanceof UnsayableSchemaException)) throw error;
      logger.warn(
        `The tool '${name}' is sent to ${named} without strict mode, which cannot express its schema: ${error.message}. ${error.remedy}`,
      );
      return { ...toTool(inputSchema), strict: false };
    }
  }
  try {
    return { ...toTool(inputSchema), strict };
  } catch (error) {
    if (!(error instanceof UnsayableSchemaException)) throw error;
    throw new ChatModelException(
      `The tool '${name}' cannot be offered to ${named}, which does not accept its schema: ${error.message}. ${error.remedy}`,
      { cause: error },
    );
  }
}
