import { type ChatOptions, mergeChatOptions, type Prompt } from '@nestor-ai/core';
import { CassetteException, type CassetteRequest } from './cassette-content.js';
import { redactJson } from './redaction.js';
import { requestSnapshot } from './request-snapshot.js';
import { toJson } from './to-json.js';

/** Reads requests in the form that a cassette keeps, for recording and for comparing. */
export class RequestReader {
  /**
   * @param normalize replaces values that change with each run
   * @param redact removes secrets from a text; runs last
   */
  constructor(
    private readonly normalize: (request: CassetteRequest) => CassetteRequest,
    private readonly redact: (text: string) => string,
  ) {}

  /** @throws CassetteException if `normalize` returns nothing */
  read(method: CassetteRequest['method'], prompt: Prompt, defaults: ChatOptions): CassetteRequest {
    const snapshot = requestSnapshot(method, prompt, mergeChatOptions(defaults, prompt.options));
    const normalized = toJson(this.normalize(snapshot)) as unknown as CassetteRequest | undefined;
    if (!normalized?.messages) {
      throw new CassetteException("The option 'normalize' of recordModel() must return the request.");
    }
    return redactJson(normalized, this.redact);
  }
}
