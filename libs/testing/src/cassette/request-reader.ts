import { type ChatModel, mergeChatOptions, type Prompt } from '@nestor-ai/core';
import { CassetteException, type CassetteRequest } from './cassette-content.js';
import { redactJson } from './redaction.js';
import { requestSnapshot } from './request-snapshot.js';
import { toJson } from './to-json.js';

/** @throws CassetteException if the option `normalize` returns nothing */
export type ReadRequest = (method: CassetteRequest['method'], prompt: Prompt) => CassetteRequest;

/**
 * Reads the requests of a model in the form that a cassette keeps, for recording and for comparing.
 *
 * @param redact removes secrets from a text; runs last
 * @param normalize replaces values that change with each run
 */
export function requestReader(
  model: Pick<ChatModel, 'defaultOptions'>,
  redact: (text: string) => string,
  normalize = (request: CassetteRequest) => request,
): ReadRequest {
  return (method, prompt) => {
    const snapshot = requestSnapshot(method, prompt, mergeChatOptions(model.defaultOptions, prompt.options));
    const normalized = toJson(normalize(snapshot)) as unknown as CassetteRequest | undefined;
    if (normalized?.messages) return redactJson(normalized, redact);
    throw new CassetteException("The option 'normalize' of recordModel() must return the request.");
  };
}
