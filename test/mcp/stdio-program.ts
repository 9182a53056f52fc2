// oxlint-disable no-console
// A program that serves MCP over stdio: `node --import ../../apps/from-sources.mjs stdio-program.ts`.
import 'reflect-metadata';
import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { AiModule, Tool, ToolContext } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { McpNotifier, McpResource, McpServerModule, serveMcpStdio } from '@nestor-ai/mcp';

@Injectable()
class Printer implements OnModuleDestroy {
  private readonly logger = new Logger('Printer');

  constructor(private readonly notifier: McpNotifier) {
    console.log('Printed at start');
  }

  @Tool({ mcp: true })
  print({ turn }: ToolContext): string {
    console.log('Printed by a tool');
    process.stdout.write('Written by a tool\n');
    this.logger.warn('Logged by a tool');
    this.notifier.toolsChanged();
    this.notifier.resourceUpdated('printer://secret');
    this.notifier.resourceUpdated('printer://paper');
    return JSON.stringify(turn.request);
  }

  @McpResource({ uri: 'printer://paper' })
  paper(): string {
    return '12 sheets';
  }

  @McpResource({ uri: 'printer://secret', visible: () => false })
  secret(): string {
    return 'a secret';
  }

  onModuleDestroy(): void {
    console.log('Destroyed');
  }
}

@Module({
  imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }), McpServerModule.forRoot({ name: 'printer' })],
  providers: [Printer],
})
class AppModule {}

await serveMcpStdio(AppModule, { auth: { token: 't', clientId: 'ada', scopes: [] } });
console.log('Ended');
