import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { ChatController } from './chat.controller.js';
import { OfflineModel } from './offline.model.js';
import { OrdersTools } from './orders.tools.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot({ memory: true }),
  ],
  controllers: [ChatController],
  providers: [OrdersTools],
})
export class AppModule {}
