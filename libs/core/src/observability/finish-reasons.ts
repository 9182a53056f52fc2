import type { ChatResponse } from '../model/chat-response.js';
import { nameOrOther } from './error-type.js';

/** Why an answer has ended. */
export function finishReasonsOf(response: ChatResponse | undefined): string[] | undefined {
  let reasons: string[] | undefined;
  for (const { metadata } of response?.results ?? []) {
    if (metadata?.finishReason !== undefined) (reasons ??= []).push(nameOrOther(metadata.finishReason));
  }
  return reasons;
}
