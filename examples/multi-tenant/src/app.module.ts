import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { ChatController } from './chat.controller.js';
import { InvoicesTools } from './invoices.tools.js';
import { OfflineModel } from './offline.model.js';
import { TenantDatabase } from './tenant/tenant.database.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot(),
  ],
  controllers: [ChatController],
  providers: [InvoicesTools, TenantDatabase],
})
export class AppModule {}
