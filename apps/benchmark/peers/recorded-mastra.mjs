/* Mastra: an agent that stores its messages after each step, and a durable agent, which another process can go on with. */
import { randomUUID } from 'node:crypto';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';
import { Client, Pool } from 'pg';
import { z } from 'zod';
import { countStatements, forecast, ROUNDS, think } from '../dist/postgres/peers/recorded-turns.js';
import { catalogueOf, QUESTION } from '../dist/work.js';
import { turnModelOf } from './language-model.mjs';
import { versionOf } from './version.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
const statements = countStatements(Client);

function scriptedModel(latency) {
  const model = turnModelOf({ rounds: ROUNDS, parallel: 1, callId: () => randomUUID() });
  return {
    ...model,
    async doGenerate(options) {
      await think(latency);
      return model.doGenerate(options);
    },
    async doStream(options) {
      await think(latency);
      return model.doStream(options);
    },
  };
}

const recorded = ({ isDurable }) => ({
  version: versionOf('@mastra/core'),
  statements,

  async open({ latency, database }) {
    const pool = database && new Pool({ connectionString: database.connectionString, max: database.connections });
    const storage = pool
      ? new PostgresStore({ id: 'benchmark', pool, schemaName: database.schema })
      : new InMemoryStore();
    await storage.init();
    const tools = Object.fromEntries(
      catalogueOf(1, z).map(({ name, description, schema }) => [
        name,
        createTool({ id: name, description, inputSchema: schema, execute: forecast }),
      ]),
    );
    const benchmark = new Agent({
      id: 'benchmark',
      name: 'benchmark',
      instructions: 'You help.',
      model: scriptedModel(latency),
      tools,
      memory: new Memory({ storage }),
      ...(isDurable && { durable: true }),
    });
    // A durable agent stores the state of a running turn only if it is to be recovered.
    const recovery = isDurable ? { durableAgents: 'auto' } : undefined;
    const agent = new Mastra({ agents: { benchmark }, storage, logger: false, recovery }).getAgent('benchmark');
    return {
      async ask() {
        const memory = { thread: randomUUID(), resource: 'ann' };
        return (await agent.generate(QUESTION, { memory, maxSteps: 1000, savePerStep: true })).text;
      },
      async close() {
        await pool?.end();
      },
    };
  },
});

export const contestant = recorded({ isDurable: false });
export const durable = recorded({ isDurable: true });
