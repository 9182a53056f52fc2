import { type ChatOptions, type Message, offeredToolDefinitions, type Prompt } from '@nestor-ai/core';
import type { CassetteRequest, JsonRecord } from './cassette-content.js';
import { toJson } from './to-json.js';

/** The options that change what a model answers. Headers are left out, since they may be secret. */
const OPTIONS = [
  'model',
  'temperature',
  'topP',
  'topK',
  'maxTokens',
  'stopSequences',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
  'reasoning',
  'promptCaching',
  'toolChoice',
  'outputSchema',
  'providerOptions',
  'providerTools',
] as const satisfies readonly (keyof ChatOptions)[];

/** The options that a cassette keeps. Undefined if there are none. */
export function optionsSnapshot(options: ChatOptions): JsonRecord | undefined {
  const kept = Object.fromEntries(OPTIONS.map((key) => [key, options[key]]));
  const json = toJson(kept) as JsonRecord;
  return Object.keys(json).length > 0 ? json : undefined;
}

/**
 * The request as a cassette keeps it.
 *
 * @param options of the request, merged with the default options of the model
 */
export function requestSnapshot(
  method: CassetteRequest['method'],
  { messages }: Prompt,
  options: ChatOptions,
): CassetteRequest {
  const kept = optionsSnapshot(options);
  const tools = offeredToolDefinitions(options);
  return {
    method,
    messages: messages.map((message) => toJson(messageSnapshot(message)) as JsonRecord),
    ...(kept && { options: kept }),
    ...(tools.length > 0 && { tools: toJson(tools) as unknown as readonly JsonRecord[] }),
  };
}

/** What a model reads of a message. Only the metadata of answers contains parts of the provider. */
function messageSnapshot(message: Message): object {
  const { metadata, ...rest } = message;
  if (message.role === 'assistant') {
    const { toolCalls, ...fields } = rest as typeof message;
    return { ...fields, ...(toolCalls?.length > 0 && { toolCalls }), ...(metadata && { metadata }) };
  }
  if (message.role !== 'tool') return rest;
  return { role: message.role, responses: message.responses.map(({ value: _value, ...response }) => response) };
}
