import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';
import { IsNotEmpty, IsString } from 'class-validator';
import type { SignedInRequest } from './auth/jwt-auth.guard.js';

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
  async chat(@Body() { message }: ChatDto, @Req() request: SignedInRequest) {
    // Your guards see this request when the model calls a tool.
    const answer = await this.chatClient.prompt(message).request(request).call().content();
    return { answer };
  }
}
