import type { ChatResponse } from '../model/chat-response.js';

/** Whether a chunk has a part of the answer, and not only facts about it. */
export function hasContent(response: ChatResponse | undefined): boolean {
  return (response?.results ?? []).some(
    ({ output }) => output.text || output.reasoning || output.toolCalls?.length > 0 || output.media,
  );
}
