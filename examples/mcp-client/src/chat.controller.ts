import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';
import { IsNotEmpty, IsString } from 'class-validator';

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
  async chat(@Body() { message }: ChatDto) {
    const answer = await this.chatClient.prompt(message).call().content();
    return { answer };
  }
}
