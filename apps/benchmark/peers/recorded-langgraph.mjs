/* LangGraph: createAgent() of LangChain.js, which is a graph, with a checkpointer. */
import { randomUUID } from 'node:crypto';
import { MemorySaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { createAgent, tool } from 'langchain';
import { Client, Pool } from 'pg';
import { z } from 'zod';
import { countStatements, forecast, ROUNDS, think } from '../dist/postgres/peers/recorded-turns.js';
import { catalogueOf, QUESTION } from '../dist/work.js';
import { TurnModel } from './langchain.mjs';
import { versionOf } from './version.mjs';

const statements = countStatements(Client);

class ScriptedModel extends TurnModel {
  constructor(latency) {
    super({ rounds: ROUNDS, parallel: 1 });
    this.latency = latency;
  }
  async _generate(messages) {
    await think(this.latency);
    const result = await super._generate(messages);
    for (const call of result.generations[0].message.tool_calls) call.id = randomUUID();
    return result;
  }
}

/** @param durability `async`, the default: a checkpoint is written during the next step; `sync`: before it */
const recorded = (durability) => ({
  version: versionOf('@langchain/langgraph'),
  statements,

  async open({ latency, database }) {
    const pool = database && new Pool({ connectionString: database.connectionString, max: database.connections });
    const checkpointer = pool ? new PostgresSaver(pool, undefined, { schema: database.schema }) : new MemorySaver();
    if (pool) await checkpointer.setup();
    const tools = catalogueOf(1, z).map(({ name, description, schema }) =>
      tool(forecast, { name, description, schema }),
    );
    const agent = createAgent({ model: new ScriptedModel(latency), tools, checkpointer });
    return {
      async ask() {
        const options = { configurable: { thread_id: randomUUID() }, durability, recursionLimit: 1000 };
        const { messages } = await agent.invoke({ messages: [{ role: 'user', content: QUESTION }] }, options);
        return messages.at(-1).content;
      },
      async close() {
        await pool?.end();
      },
    };
  },
});

export const contestant = recorded('async');
export const synchronous = recorded('sync');
