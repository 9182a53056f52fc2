import {
  type ChatOptions,
  ChatModelException,
  type JsonSchema,
  offeredToolDefinitions,
  type Prompt,
  type ToolChoice,
  type ToolDefinition,
} from '@nestor-ai/core';
import type { AiSdkLanguageModel, CallOptions, FunctionTool, SpecificationToolChoice } from './specification.js';
import { takesContentByDefault } from './tool-content.js';
import { toSpecificationMessages } from './to-messages.js';

/** What the model is asked with. Of the options only what is meant for a model is taken. */
export function toCallOptions(
  prompt: Prompt,
  model: AiSdkLanguageModel,
  { takesToolContent = takesContentByDefault(model.provider) }: { readonly takesToolContent?: boolean } = {},
  abortSignal?: AbortSignal,
): CallOptions {
  const options = prompt.options ?? {};
  refuseOtherModel(options, model);
  refuseToolNames(options);
  const tools = offeredToolDefinitions(options);
  const signal = abortSignal ?? options.signal;
  return {
    prompt: toSpecificationMessages(prompt.messages, model.specificationVersion, takesToolContent),
    ...pick(options),
    ...(tools.length > 0 && { tools: toFunctionTools(tools) }),
    ...(tools.length > 0 && options.toolChoice && { toolChoice: toToolChoice(options.toolChoice) }),
    ...(options.outputSchema && { responseFormat: { type: 'json' as const, schema: options.outputSchema } }),
    ...(signal && { abortSignal: signal }),
  };
}

function pick(options: ChatOptions): Partial<CallOptions> {
  const { maxTokens, temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = options;
  const { stopSequences, providerOptions } = options;
  return {
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(seed !== undefined && { seed }),
    ...(stopSequences && { stopSequences: [...stopSequences] }),
    ...(providerOptions && { providerOptions }),
  };
}

/** A model cannot look names up. */
function refuseToolNames({ toolNames }: ChatOptions): void {
  if (!toolNames || toolNames.length === 0) return;
  throw new ChatModelException(
    `The options name tools (${toolNames.join(', ')}), which only a ChatClient can look up. Ask through one, or give toolCallbacks.`,
  );
}

/** An AI SDK model answers under one name; asking it for another would silently be ignored. */
function refuseOtherModel({ model: name }: ChatOptions, model: AiSdkLanguageModel): void {
  if (name === undefined || name === model.modelId) return;
  throw new ChatModelException(
    `The options ask for the model '${name}', but this ChatModel is '${model.modelId}' of ${model.provider}. ` +
      'Leave `model` out, or make a ChatModel of the other model.',
  );
}

// The definitions of a client's tools are the same list in every request.
const functionTools = new WeakMap<readonly ToolDefinition[], FunctionTool[]>();

function toFunctionTools(definitions: readonly ToolDefinition[]): FunctionTool[] {
  let tools = functionTools.get(definitions);
  if (!tools) {
    tools = definitions.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: completed(inputSchema),
    }));
    functionTools.set(definitions, tools);
  }
  return tools;
}

/** A schema of somebody else may leave out what is the same without it, and what some APIs insist on. */
function completed(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined && schema.type !== 'object') return schema;
  return schema.type === 'object' && schema.properties !== undefined
    ? schema
    : { ...schema, type: 'object', properties: schema.properties ?? {} };
}

function toToolChoice(choice: ToolChoice): SpecificationToolChoice {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.toolName };
}
