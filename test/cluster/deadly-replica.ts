/*
 * A replica that a turn ends: `node --import ../../apps/from-sources.mjs deadly-replica.ts schema prefix where`.
 * It ends in the model, or in the option `request`, before the turn has begun.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule } from '@nestor-ai/core';
import { BullAiModule } from '@nestor-ai/bullmq';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { PostgresAiModule } from '@nestor-ai/postgres';

const [schema, prefix, where] = process.argv.slice(2) as [string, string, 'model' | 'request'];
const { POSTGRES_URL, REDIS_URL } = process.env as Record<string, string>;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('Not killed.');
}

@Module({
  imports: [
    PostgresAiModule.forRoot({ connection: POSTGRES_URL!, schema }),
    BullAiModule.forRoot({
      connection: REDIS_URL!,
      prefix,
      sweepInterval: 200,
      attempts: 3,
      ...(where === 'request' && { request: die }),
    }),
    AiModule.forRoot({
      chatModel: new ScriptedChatModel(die),
      providers: [...PostgresAiModule.stores(), ...BullAiModule.stores()],
      properties: { chat: { client: { toolCalling: { turnLease: 500 } } } },
    }),
  ],
})
class ReplicaModule {}

await NestFactory.createApplicationContext(ReplicaModule, { logger: ['error'] });
