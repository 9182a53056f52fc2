import { Body, Controller, Headers, HttpCode, type MessageEvent, Post, Query, Sse } from '@nestjs/common';
import { ChatClient, type ChatClientRequestSpec } from '@nestor-ai/core';
import { map, type Observable } from 'rxjs';
import { ChatRequest } from './chat-request.dto.js';

/** Lets the model answer with the tools of the application. */
@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  @HttpCode(200)
  async chat(@Body() { message }: ChatRequest, @Headers('x-tenant') tenant?: string): Promise<{ answer: string }> {
    const response = await this.#ask(message, tenant).call().chatResponse();
    const [waiting] = response?.pendingApprovals ?? [];
    return { answer: waiting ? `${waiting.name} waits for your approval in the inspector.` : (response?.text ?? '') };
  }

  /**
   * Sends one server-sent event for each chunk of text. If the client leaves, Nest unsubscribes,
   * which aborts the model call.
   */
  @Sse('stream')
  stream(@Query() { message }: ChatRequest, @Headers('x-tenant') tenant?: string): Observable<MessageEvent> {
    return this.#ask(message, tenant)
      .stream()
      .content()
      .pipe(map((text) => ({ data: { text } })));
  }

  /** In a real application the tenant comes from the signed-in user. */
  #ask(message: string, tenant: string | undefined): ChatClientRequestSpec {
    return this.chatClient.prompt(message).toolContext({ ...(tenant !== undefined && { tenant }) });
  }
}
