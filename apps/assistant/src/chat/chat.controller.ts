import { Body, Controller, Headers, HttpCode, type MessageEvent, Post, Query, Sse } from '@nestjs/common';
import { ChatClient, type ChatClientRequestSpec } from '@nestor-ai/core';
import { map, type Observable } from 'rxjs';
import { ChatRequest } from './chat-request.dto.js';

/** The whole of what an application writes to let a model answer with its tools. */
@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  @HttpCode(200)
  async chat(@Body() { message }: ChatRequest, @Headers('x-tenant') tenant?: string): Promise<{ answer: string }> {
    return { answer: (await this.#ask(message, tenant).call().content()) ?? '' };
  }

  /** Server-sent events, one for each piece of text. Nest unsubscribes when the client goes, which aborts the model. */
  @Sse('stream')
  stream(@Query() { message }: ChatRequest, @Headers('x-tenant') tenant?: string): Observable<MessageEvent> {
    return this.#ask(message, tenant)
      .stream()
      .content()
      .pipe(map((text) => ({ data: { text } })));
  }

  /** In a real application the tenant comes from the signed-in user. */
  #ask(message: string, tenant = 'acme'): ChatClientRequestSpec {
    return this.chatClient.prompt(message).toolContext({ tenant });
  }
}
