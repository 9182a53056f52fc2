import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { ChatController } from './chat/chat.controller.js';
import { OfflineChatModel } from './offline-model/offline-chat-model.js';
import { AlarmService } from './tools/alarm.service.js';
import { CustomerTools } from './tools/customer.tools.js';
import { DateTimeTools } from './tools/date-time.tools.js';
import { WeatherTools } from './tools/weather.tools.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineChatModel() }),
    AiModule.forRoot(),
  ],
  controllers: [ChatController],
  providers: [AlarmService, DateTimeTools, WeatherTools, CustomerTools],
})
export class AppModule {}
