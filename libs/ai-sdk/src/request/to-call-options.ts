import { type ChatOptions, ChatModelException, type Message, type Prompt } from '@nestor-ai/core';
import { requireHeaders } from './http-headers.js';
import { loadMedia, type MediaSettings } from './load-media.js';
import { toResponseFormat } from '../schema/output-schema.js';
import { markCachedParts } from './prompt-caching.js';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { CallOptions } from '../specification.js';
import { toSpecificationMessages } from './to-messages.js';
import { toToolOptions } from './tools.js';

/**
 * Converts a prompt to the input of the model. Only takes the options that are intended for a
 * model. Not a promise unless files have to be downloaded.
 */
export function toCallOptions(
  prompt: Prompt,
  model: AiSdkLanguageModel,
  settings: MediaSettings = {},
  abortSignal?: AbortSignal,
): CallOptions | Promise<CallOptions> {
  const options = prompt.options ?? {};
  refuseOtherModel(options, model);
  refuseToolNames(options);
  const signal = abortSignal ?? options.signal;
  const messages = loadMedia(prompt, model, settings, signal);
  return messages instanceof Promise
    ? messages.then((loaded) => callOptionsOf(loaded, options, model, settings, signal))
    : callOptionsOf(messages, options, model, settings, signal);
}

function callOptionsOf(
  messages: readonly Message[],
  options: ChatOptions,
  model: AiSdkLanguageModel,
  { takesToolContent }: MediaSettings,
  signal: AbortSignal | undefined,
): CallOptions {
  const call: CallOptions = {
    prompt: toSpecificationMessages(messages, model, takesToolContent),
    ...pick(options, model),
    ...toToolOptions(options, model),
    ...(options.outputSchema && { responseFormat: toResponseFormat(options.outputSchema, options, model) }),
    ...(signal && { abortSignal: signal }),
  };
  if (options.promptCaching) markCachedParts(options.promptCaching, call, model);
  return call;
}

function pick(options: ChatOptions, { specificationVersion }: AiSdkLanguageModel): Partial<CallOptions> {
  const { maxTokens, temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = options;
  const { stopSequences, reasoning, headers, providerOptions } = options;
  return {
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(seed !== undefined && { seed }),
    ...(stopSequences && { stopSequences: [...stopSequences] }),
    // Models of version 3 have no such option: `warningsOfRequest` reports it.
    ...(reasoning !== undefined && specificationVersion === 'v4' && { reasoning }),
    ...(headers && { headers: requireHeaders(headers) }),
    ...(providerOptions && { providerOptions }),
  };
}

/** A model cannot resolve tool names. */
function refuseToolNames({ toolNames }: ChatOptions): void {
  if (!toolNames || toolNames.length === 0) return;
  throw new ChatModelException(
    `The options contain tool names (${toolNames.join(', ')}), which only a ChatClient can resolve. Use a ChatClient, or pass toolCallbacks.`,
  );
}

/** An AI SDK model has a fixed name and would silently ignore another one. */
function refuseOtherModel({ model: name }: ChatOptions, model: AiSdkLanguageModel): void {
  if (name === undefined || name === model.modelId) return;
  throw new ChatModelException(
    `The options ask for the model '${name}', but this ChatModel is '${model.modelId}' of ${model.provider}. ` +
      'Leave out `model`, or create a ChatModel for the other model.',
  );
}
