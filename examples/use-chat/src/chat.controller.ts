import { Body, Controller, Post } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';
import { toUIMessageStreamResponse, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
import { IsArray, IsNotEmpty, IsString } from 'class-validator';

/** The body that `useChat()` sends. */
class UseChatDto {
  @IsString()
  @IsNotEmpty()
  id!: string;

  @IsArray()
  messages!: UIMessageInput[];
}

@Controller('api/chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  chat(@Body() { id, messages }: UseChatDto) {
    // Where users sign in, add .request(request): the conversation belongs to the user then.
    const request = this.chatClient.prompt().conversation(id);
    // The server remembers the conversation, so it only takes the last message from the browser.
    return toUIMessageStreamResponse(withUIMessages(request, messages).stream().events());
  }
}
