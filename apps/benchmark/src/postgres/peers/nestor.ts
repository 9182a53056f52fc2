/* A Nest application with a journal, and with memory if it is asked for. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient, Tool, SuspendedTurnRepository } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { PostgresAiModule, PostgresTurnJournal } from '@nestor-ai/postgres';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Client, Pool } from 'pg';
import { z } from 'zod';
import { catalogueOf, QUESTION } from '../../work.js';
import { countStatements, forecast, type RecordedTurns } from './recorded-turns.js';
import { ScriptedModel } from './scripted-model.js';

const { version } = createRequire(import.meta.url)('@nestor-ai/core/package.json') as { version: string };
const statements = countStatements(Client);
const { name, description, schema: inputSchema } = catalogueOf<z.ZodType>(1, z)[0]!;

class ForecastTools {
  @Tool({ name, description, inputSchema: inputSchema as never })
  async forecast(input: { city: string }): Promise<object> {
    return forecast(input);
  }
}

/** @param hasMemory whether the conversation is stored, too, as the peers do */
function recorded({ hasMemory }: { hasMemory: boolean }): RecordedTurns {
  return {
    version,
    statements,
    async open({ latency, database }) {
      const pool = database && new Pool({ connectionString: database.connectionString, max: database.connections });
      const journal = pool
        ? { provide: SuspendedTurnRepository, useExisting: PostgresTurnJournal }
        : { provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal };
      const providers = pool && hasMemory ? PostgresAiModule.stores() : [journal];
      const chatModel = new ScriptedModel(latency);
      @Module({
        imports: [
          ...(pool ? [PostgresAiModule.forRoot({ pool, schema: database.schema })] : []),
          AiModule.forRoot({ chatModel, memory: hasMemory, providers }),
        ],
        providers: [ForecastTools],
      })
      class BenchmarkModule {}
      const app = await NestFactory.createApplicationContext(BenchmarkModule, { logger: false });
      const client = app.get(ChatClient);
      return {
        async ask() {
          const request = client.prompt(QUESTION);
          return (hasMemory ? request.conversation(randomUUID()) : request).call().content();
        },
        async close() {
          await app.close();
          await pool?.end();
        },
      };
    },
  };
}

export const contestant = recorded({ hasMemory: false });
export const remembering = recorded({ hasMemory: true });
