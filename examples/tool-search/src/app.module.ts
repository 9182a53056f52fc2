import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { ChatController } from './chat.controller.js';
import { OfferedToolsAdvisor } from './offered-tools.advisor.js';
import { OfficeModule } from './office/office.module.js';
import { OfflineModel } from './offline.model.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot(),
    ToolSearchModule.forRoot({ properties: { enabled: true, maxResults: 2 } }),
    OfficeModule,
  ],
  controllers: [ChatController],
  providers: [OfferedToolsAdvisor],
})
export class AppModule {}
