import type { CallAdvisorChain } from '../advisor/advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type ToolCall } from '../model/messages.js';

const DONE = new ChatResponse({ results: [{ output: new AssistantMessage('') }] });

/** Takes the place of a model in the tool loop: asks for one call, then ends the turn. */
export class CallingChain implements CallAdvisorChain {
  readonly advisors = [];
  readonly isInsideLoop = true;

  constructor(private readonly call: ToolCall) {}

  copy(): CallAdvisorChain {
    return this;
  }

  async nextCall({ prompt, context }: ChatClientRequest): Promise<ChatClientResponse> {
    if (prompt.messages.at(-1)?.role === 'tool') return { chatResponse: DONE, context };
    const output = new AssistantMessage({ toolCalls: [this.call] });
    return { chatResponse: new ChatResponse({ results: [{ output }] }), context };
  }
}
