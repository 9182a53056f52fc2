import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { McpClientModule } from '@nestor-ai/mcp';
import { ChatController } from './chat.controller.js';
import { OfflineModel } from './offline.model.js';

const WEATHER_SERVER = fileURLToPath(new URL('../weather-server.mjs', import.meta.url));

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot(),
    McpClientModule.forRoot({
      servers: [{ name: 'weather', command: process.execPath, args: [WEATHER_SERVER] }],
    }),
  ],
  controllers: [ChatController],
})
export class AppModule {}
