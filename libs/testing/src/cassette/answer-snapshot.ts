import {
  AssistantMessage,
  type AssistantMessageInit,
  ChatModelException,
  ChatResponse,
  type Generation,
  type Media,
} from '@nestor-ai/core';
import { messageOf } from '@nestor-ai/schema';
import type { CassetteAnswer, CassetteError, JsonRecord } from './cassette-content.js';
import { toJson } from './to-json.js';

/** A response, or a chunk of one, as a cassette keeps it. */
export function answerSnapshot({ results, metadata }: ChatResponse): CassetteAnswer {
  const [first, ...others] = results;
  const { headers: _headers, ...response } = metadata;
  return {
    ...(first && generationSnapshot(first)),
    ...(Object.keys(response).length > 0 && { response: toJson(response) as JsonRecord }),
    ...(others.length > 0 && { others: others.map(generationSnapshot) }),
  };
}

function generationSnapshot({ output, toolInput, metadata }: Generation): CassetteAnswer {
  const { role: _role, text, toolCalls, ...rest } = output;
  const message = { ...(text !== '' && { text }), ...(toolCalls?.length > 0 && { toolCalls }), ...rest };
  return {
    message: toJson(message) as JsonRecord,
    ...(toolInput && { toolInput: toJson(toolInput) as JsonRecord }),
    ...(metadata && { generation: toJson(metadata) as JsonRecord }),
  };
}

/** The response of a snapshot. Its objects are new ones. */
export function toResponse(snapshot: CassetteAnswer): ChatResponse {
  const { others = [], response, ...first } = structuredClone(snapshot);
  return new ChatResponse({
    results: [...(first.message ? [first] : []), ...others].map(toGeneration),
    ...(response && { metadata: response }),
  });
}

function toGeneration({ message = {}, toolInput, generation }: CassetteAnswer): Generation {
  const init = message as unknown as AssistantMessageInit;
  const media = init.media?.map(withAddress);
  return {
    output: new AssistantMessage(media ? { ...init, media } : init),
    ...(generation && { metadata: generation }),
    ...(toolInput && { toolInput: toolInput as unknown as NonNullable<Generation['toolInput']> }),
  };
}

function withAddress(media: Media): Media {
  const { url } = media.data as unknown as { url?: string };
  return url === undefined ? media : { ...media, data: new URL(url) };
}

/** An error as a cassette keeps it. Response headers are left out, since they may be secret. */
export function errorSnapshot(error: unknown): CassetteError {
  const name = error instanceof Error ? error.name : 'Error';
  const message = messageOf(error);
  if (!isModelError(error)) return { name, message };
  const { httpStatus, code, isRetryable, responseBody } = error;
  return {
    name,
    message,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(code !== undefined && { code }),
    isRetryable,
    ...(responseBody !== undefined && { responseBody }),
  };
}

/** Another copy of the package may have created the error. */
function isModelError(error: unknown): error is ChatModelException {
  return error instanceof Error && typeof (error as Partial<ChatModelException>).isRetryable === 'boolean';
}

/** The error of a snapshot: a `ChatModelException` if it was one. */
export function toError({ name, message, ...failure }: CassetteError): Error {
  const error = failure.isRetryable === undefined ? new Error(message) : new ChatModelException(message, failure);
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return error;
}
