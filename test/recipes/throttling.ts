// throttling.ts
import {
  Controller,
  Get,
  type ExecutionContext,
  Injectable,
  Module,
  Query,
  Req,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { AiToolExecutionContext, ChatClient, Tool } from '@nestor-ai/core';

/** Counts HTTP requests, and lets tool calls pass, because their HTTP request has been counted. */
@Injectable()
export class HttpThrottlerGuard extends ThrottlerGuard {
  protected override async shouldSkip(context: ExecutionContext) {
    return AiToolExecutionContext.is(context);
  }
}

@Injectable()
export class StockTools {
  @Tool({
    rateLimit: {
      calls: 2,
      interval: 60_000,
      key: (_input, context) => String(context.get('user')),
    },
  })
  inStock(article: string) {
    return `3 of ${article}`;
  }
}

@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Get()
  @Throttle({ default: { limit: 3, ttl: 60_000 } })
  async chat(@Query('q') question: string, @Req() request: { ip: string }) {
    const answer = this.chatClient
      .prompt(question)
      .request(request)
      .toolContext({ user: request.ip });
    return { answer: await answer.call().content() };
  }
}

@Module({
  imports: [ThrottlerModule.forRoot([{ limit: 100, ttl: 60_000 }])],
  controllers: [ChatController],
  providers: [StockTools, { provide: APP_GUARD, useClass: HttpThrottlerGuard }],
})
export class ChatModule {}
