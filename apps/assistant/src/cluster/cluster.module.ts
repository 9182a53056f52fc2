import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { BullAiModule } from '@nestor-ai/bullmq';
import { AiModule } from '@nestor-ai/core';
import { PostgresAiModule } from '@nestor-ai/postgres';
import { OfflineChatModel } from '../offline-model/offline-chat-model.js';
import { ClusterTools } from './cluster.tools.js';
import type { Services } from './services.js';

/** How long the turn of a dead process waits, in milliseconds. The default is 30,000. */
const LEASE = 3000;

/** An application whose turns survive its processes. */
@Module({})
export class ClusterModule {
  static of(role: 'web' | 'worker', { postgres, redis }: Services): DynamicModule {
    return {
      module: ClusterModule,
      imports: [
        ConfigModule.forRoot({ isGlobal: true }),
        PostgresAiModule.forRoot({ connection: postgres, schema: 'assistant' }),
        BullAiModule.forRoot({ connection: redis, prefix: 'assistant', role, sweepInterval: 2000 }),
        AiSdkModule.forRoot({ fallback: new OfflineChatModel() }),
        AiModule.forRoot({
          providers: [...PostgresAiModule.stores(), ...BullAiModule.stores()],
          properties: { chat: { client: { toolCalling: { turnLease: LEASE } } } },
        }),
      ],
      providers: [ClusterTools],
    };
  }
}
