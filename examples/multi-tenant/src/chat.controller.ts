import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';
import { IsNotEmpty, IsString } from 'class-validator';
import type { TenantRequest } from './tenant/tenant.strategy.js';

class ChatDto {
  @IsString()
  @IsNotEmpty()
  message!: string;
}

@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  @HttpCode(200)
  async chat(@Body() { message }: ChatDto, @Req() request: TenantRequest) {
    // Request-scoped and durable tools are made for this request.
    const answer = await this.chatClient.prompt(message).request(request).call().content();
    return { answer };
  }
}
