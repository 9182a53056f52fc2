import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { AccountsService } from './accounts.service.js';
import { AccountsTools } from './accounts.tools.js';
import { OfflineModel } from './offline.model.js';
import { SupportController } from './support.controller.js';
import { SupportService } from './support.service.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot(),
  ],
  controllers: [SupportController],
  providers: [AccountsService, AccountsTools, SupportService],
})
export class AppModule {}
