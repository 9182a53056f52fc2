import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { ArticlesTools } from './articles.tools.js';
import { AuthModule } from './auth/auth.module.js';
import { ChatController } from './chat.controller.js';
import { OfflineModel } from './offline.model.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot(),
    AuthModule,
  ],
  controllers: [ChatController],
  providers: [ArticlesTools],
})
export class AppModule {}
