import { Module } from '@nestjs/common';
import { AiModule } from '@nestor-ai/core';
import { McpServerModule } from '@nestor-ai/mcp';
import { ApiKeyGuard } from './api-key.guard.js';
import { LibraryPrompts } from './library.prompts.js';
import { LibraryTools } from './library.tools.js';

@Module({
  imports: [
    AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }),
    McpServerModule.forRoot({ name: 'library', guards: [ApiKeyGuard] }),
  ],
  providers: [LibraryTools, LibraryPrompts],
})
export class AppModule {}
