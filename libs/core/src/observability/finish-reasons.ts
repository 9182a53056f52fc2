import type { ChatResponse } from '../model/chat-response.js';

/** Why an answer has ended. */
export function finishReasonsOf(response: ChatResponse | undefined): string[] | undefined {
  let reasons: string[] | undefined;
  for (const { metadata } of response?.results ?? []) {
    if (metadata?.finishReason !== undefined) (reasons ??= []).push(metadata.finishReason);
  }
  return reasons;
}
