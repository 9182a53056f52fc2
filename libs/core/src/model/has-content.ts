import type { ChatResponse, Generation } from './chat-response.js';

/** Whether a chunk contains part of the answer, not only metadata. */
export function hasContent(response: ChatResponse | undefined): boolean {
  return (response?.results ?? []).some(
    (generation) => isVisible(generation) || generation.output.toolCalls?.length > 0,
  );
}

/** Whether a generation contains something that a caller may already see, unlike tool calls. */
export function isVisible({ output, toolInput }: Generation): boolean {
  const { text, reasoning, media, providerToolCalls, sources } = output;
  return Boolean(text || reasoning || media || providerToolCalls || sources || toolInput);
}
