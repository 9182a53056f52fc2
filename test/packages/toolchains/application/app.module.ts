import { Body, Controller, Module, Post } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { createChatModel } from '@nestor-ai/ai-sdk';
import { AiModule, ChatClient, ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { ShopTools } from './shop.tools.js';

export const model = new ScriptedChatModel([
  { toolCalls: [toolCall('toolSearchTool', { query: 'place an order, tell the price' })] },
  {
    toolCalls: [
      toolCall('order', { customer: 'Ada', items: [{ article: 'lamp', amount: 2 }] }),
      toolCall('order', { customer: 'Ada', items: [{ article: 'lamp', amount: 0 }] }),
      toolCall('price', { article: 'lamp', amount: '3' }),
      toolCall('price', { article: 'sofa' }),
    ],
  },
  { toolCalls: [toolCall('prise', { article: 'lamp' })] },
  'Two lamps are on their way.',
]);

/** What the model reads of its tools; every toolchain has to come to the same. */
export const EXPECTED = [
  '["order","price"]',
  'Ada: 2 lamp, true',
  'Invalid arguments: items[0].amount: amount must not be less than 1. Correct the arguments and call the tool again.',
  '3 lamp: 21 EUR',
  "The tool 'price' takes 1 call in 3600 s. Try again in 3600 s, or go on without it.",
  "Unknown tool 'prise'. Did you mean 'price'? Available tools: toolSearchTool, order, price.",
];

@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  async chat(@Body('question') question: string) {
    const answer = await this.chatClient.prompt(question).call().content();
    const openAi = await createChatModel({ provider: 'openai', name: 'gpt-test', apiKey: 'none' });
    return { answer, toolResponses: model.toolResponses, expected: EXPECTED, isChatModel: openAi instanceof ChatModel };
  }
}

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true }),
    AiModule.forRoot({ chatModel: model }),
    ToolSearchModule.forRoot({ properties: { enabled: true } }),
  ],
  controllers: [ChatController],
  providers: [ShopTools],
})
export class AppModule {}
