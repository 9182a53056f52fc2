// A process that is killed while it pays: `node --import ../../apps/from-sources.mjs killed-payer.ts audit-file`.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient, Tool } from '@nestor-ai/core';
import { AiAuditModule } from '@nestor-ai/audit';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

@Injectable()
class Bank {
  @Tool() balance(): number {
    return 7;
  }
  @Tool() pay(): void {
    process.kill(process.pid, 'SIGKILL');
  }
}

@Module({
  imports: [
    AiModule.forRoot({
      chatModel: new ScriptedChatModel([{ toolCalls: [toolCall('balance')] }, { toolCalls: [toolCall('pay')] }]),
      properties: { audit: { sink: 'file', file: process.argv[2]!, required: true, hashChain: true } },
    }),
    AiAuditModule,
  ],
  providers: [Bank],
})
class PayerModule {}

const app = await NestFactory.createApplicationContext(PayerModule, { logger: ['error'] });
await app
  .get(ChatClient)
  .prompt('Pay')
  .request({ user: { id: 'ann' } })
  .call()
  .content();
