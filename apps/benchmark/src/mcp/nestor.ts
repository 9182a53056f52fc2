/* `McpServerModule`, with the same tools. */
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, Tool, toolProvider } from '@nestor-ai/core';
import { McpServerModule } from '@nestor-ai/mcp';
import { ADD, OTHERS } from './catalogue.js';

@Injectable()
class Calculator {
  @Tool({ mcp: true, ...ADD })
  add(input: { a: number; b: number }): string {
    return ADD.run(input);
  }
}

export async function start(tools: number): Promise<string> {
  const others = OTHERS.slice(0, tools - 1).map((other) =>
    toolProvider(other.name, { ...other, mcp: true, inject: [], useFactory: () => () => '' }),
  );

  @Module({
    imports: [
      AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }),
      McpServerModule.forRoot({ name: 'bench' }),
    ],
    providers: [Calculator, ...others],
  })
  class AppModule {}

  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/mcp`;
}
