import { ChatResponse, ENDED_EARLY } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import type { TurnStop } from '../model/turn-stop.js';

/** The answer of a turn that was stopped early. */
export function toAnswer({ message, finishReason, metadata }: TurnStop): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage(message), metadata: { ...metadata, finishReason, [ENDED_EARLY]: true } }],
  });
}
