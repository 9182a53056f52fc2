import {
  AroundAdvisor,
  AssistantMessage,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatResponse,
  offeredToolDefinitions,
  Ordered,
  type Message,
  type ToolDefinition,
} from '@nestor-ai/core';

/** What a model would be sent. */
export interface ProbedPrompt {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

/** Takes the place of the model, and keeps what it would have been sent. */
export class PromptProbe extends AroundAdvisor {
  readonly name = 'Inspector';
  override readonly order: number = Ordered.LOWEST_PRECEDENCE - 1;
  prompt: ProbedPrompt | undefined;

  async around({ prompt, context }: ChatClientRequest): Promise<ChatClientResponse> {
    const { messages, options } = prompt;
    this.prompt = { messages, tools: offeredToolDefinitions(options) };
    return { chatResponse: new ChatResponse({ results: [{ output: new AssistantMessage('') }] }), context };
  }
}
