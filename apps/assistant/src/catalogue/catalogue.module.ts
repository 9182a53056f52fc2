import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule, StaticToolCallbackProvider, type ToolCallback } from '@nestor-ai/core';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { ChatController } from '../chat/chat.controller.js';
import { OfflineChatModel } from '../offline-model/offline-chat-model.js';

/** The assistant with the tools of a catalogue. The model searches for them. */
@Module({})
export class CatalogueModule {
  static of(tools: readonly ToolCallback[]): DynamicModule {
    return {
      module: CatalogueModule,
      imports: [
        ConfigModule.forRoot({ isGlobal: true }),
        AiSdkModule.forRoot({ fallback: new OfflineChatModel() }),
        AiModule.forRoot(),
        // To compare, turn it off with AI_CHAT_CLIENT_TOOL_SEARCH_ADVISOR_ENABLED=false.
        ToolSearchModule.forRoot({ properties: { enabled: true } }),
      ],
      controllers: [ChatController],
      providers: [{ provide: StaticToolCallbackProvider, useValue: new StaticToolCallbackProvider(tools) }],
    };
  }
}
