import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER } from '@nestjs/core';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiExceptionFilter, AiModule } from '@nestor-ai/core';
import { OfflineModel } from './offline.model.js';
import { TicketsController } from './tickets.controller.js';
import { TicketsService } from './tickets.service.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot(),
  ],
  controllers: [TicketsController],
  providers: [TicketsService, { provide: APP_FILTER, useClass: AiExceptionFilter }],
})
export class AppModule {}
