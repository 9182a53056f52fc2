import { ChatClient, FunctionToolCallback } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { KeywordToolIndex, ToolSearchToolCallingAdvisor } from '@nestor-ai/tool-search';
import type { ToolRow } from './data.js';

const TOOLS = 1000;
const SESSIONS = 1000;

/** The heap after a collection, in megabytes. */
function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** What a thousand sessions with a thousand tools need, beside one. */
export async function printMemory(tools: readonly ToolRow[]): Promise<void> {
  const callbacks = Object.freeze(
    tools
      .slice(0, TOOLS)
      .map(
        ({ name, description, inputSchema = { type: 'object' } }) =>
          new FunctionToolCallback({ name, description, inputSchema, toolFunction: () => 'done' }),
      ),
  );
  const search = new ToolSearchToolCallingAdvisor({ toolIndex: new KeywordToolIndex() });
  const ask = async (session: string): Promise<number> => {
    const client = ChatClient.builder(new ScriptedChatModel(['done']))
      .defaultAdvisors(search)
      .build();
    const request = client.prompt('Hello').tools(callbacks);
    const startedAt = performance.now();
    await request
      .advisors((spec) => spec.param('chat_memory_conversation_id', session))
      .call()
      .content();
    return performance.now() - startedAt;
  };
  const without = heap();
  const first = await ask('session 0');
  const one = heap() - without;
  const others: number[] = [];
  for (let number = 1; number < SESSIONS; number++) others.push(await ask(`session ${number}`));
  others.sort((a, b) => a - b);
  const median = others[Math.floor(others.length / 2)]!;
  const all = heap() - without;
  console.log(`\n${SESSIONS} sessions with the same ${TOOLS} tools:`);
  console.log(
    `  one session ${one.toFixed(1)} MB, all ${all.toFixed(1)} MB: ${(all / one).toFixed(2)}×; first turn ${first.toFixed(1)} ms, those of the other sessions ${median.toFixed(3)} ms (median)`,
  );
}
