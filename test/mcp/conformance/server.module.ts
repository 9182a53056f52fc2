import { Module } from '@nestjs/common';
import { AiModule } from '@nestor-ai/core';
import { McpServerModule } from '@nestor-ai/mcp';
import { ContentTools } from './content.tools.js';
import { InputTools } from './input.tools.js';
import { SuitePrompts } from './prompts.js';
import { SuiteResources } from './resources.js';
import { SchemaTools } from './schema.tools.js';

/** An MCP server with the tools, resources and prompts that the conformance suite names. */
@Module({
  imports: [
    AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }),
    McpServerModule.forRoot({ name: 'conformance', version: '1.0.0' }),
  ],
  providers: [ContentTools, InputTools, SchemaTools, SuitePrompts, SuiteResources],
})
export class ServerModule {}
