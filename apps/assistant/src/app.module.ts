import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { AiInspectorModule } from '@nestor-ai/inspector';
import { McpClientModule, McpServerModule } from '@nestor-ai/mcp';
import { ChatController } from './chat/chat.controller.js';
import { OfflineChatModel } from './offline-model/offline-chat-model.js';
import { AlarmService } from './tools/alarm.service.js';
import { CustomerTools } from './tools/customer.tools.js';
import { DateTimeTools } from './tools/date-time.tools.js';
import { WeatherTools } from './tools/weather.tools.js';

const UNITS_SERVER = fileURLToPath(new URL('../units-server.mjs', import.meta.url));

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineChatModel() }),
    AiModule.forRoot(),
    // Shows tools and turns at /ai.
    AiInspectorModule.forRoot({ testsDirectory: 'test/turns' }),
    // MCP clients find the tools with `mcp: true` at /mcp.
    McpServerModule.forRoot({ name: 'assistant' }),
    // The tools of this server are tools of the assistant.
    McpClientModule.forRoot({ servers: [{ name: 'units', command: process.execPath, args: [UNITS_SERVER] }] }),
  ],
  controllers: [ChatController],
  providers: [AlarmService, DateTimeTools, WeatherTools, CustomerTools],
})
export class AppModule {}
