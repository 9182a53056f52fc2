// request-store.ts
import { Controller, Get, Injectable, type MessageEvent, Module, Query, Sse } from '@nestjs/common';
import { ChatClient, Tool } from '@nestor-ai/core';
import { ClsModule, ClsService, type ClsStore } from 'nestjs-cls';
import { map, type Observable } from 'rxjs';

interface RequestStore extends ClsStore {
  user: string;
}

@Injectable()
export class OrderTools {
  constructor(private readonly store: ClsService<RequestStore>) {}

  @Tool({ description: 'The orders of the signed-in user' })
  orders() {
    return `The orders of ${this.store.get('user')}`;
  }
}

@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Get()
  async ask(@Query('q') question: string) {
    return { answer: await this.chatClient.prompt(question).call().content() };
  }

  @Sse('stream')
  stream(@Query('q') question: string): Observable<MessageEvent> {
    const answer = this.chatClient.prompt(question).stream().content();
    return answer.pipe(map((text) => ({ data: { text } })));
  }
}

@Module({
  imports: [
    ClsModule.forRoot({
      global: true,
      middleware: {
        mount: true,
        // In a real application the user comes from a verified token.
        setup: (store, request: { headers: Record<string, string> }) =>
          store.set('user', request.headers['x-user']),
      },
    }),
  ],
  controllers: [ChatController],
  providers: [OrderTools],
})
export class ChatModule {}
