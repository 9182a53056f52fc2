import {
  ChatClient,
  FunctionToolCallback,
  offeredToolDefinitions,
  type Prompt,
  type ToolDefinition,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { KeywordToolIndex, ToolSearchToolCallingAdvisor } from '@nestor-ai/tool-search';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Catalogue, QueryRow, ToolRow } from './data.js';

const SIZES = [50, 200, 1000];

/** A definition as OpenAI's protocol has it. */
const tokensOf = (definitions: readonly ToolDefinition[]): number =>
  definitions
    .map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }))
    .reduce((sum, definition) => sum + encode(JSON.stringify(definition)).length, 0);

/** Tools from all over the catalogue, always the same. */
function sample(tools: readonly ToolRow[], size: number): ToolRow[] {
  const step = tools.length / Math.min(size, tools.length);
  return Array.from({ length: Math.min(size, tools.length) }, (_, index) => tools[Math.floor(index * step)]!);
}

/** Three turns: two search for a tool and call it, the third calls the one of the first again. */
async function converse(tools: readonly ToolRow[], requests: readonly QueryRow[], searches: boolean): Promise<number> {
  const callbacks = tools.map(
    ({ name, description, inputSchema = { type: 'object' } }) =>
      new FunctionToolCallback({ name, description, inputSchema, toolFunction: () => 'done' }),
  );
  const [first, second] = requests;
  const turn = ({ query, relevant }: QueryRow): ScriptEntry[] => [
    ...(searches ? [{ toolCalls: [toolCall('toolSearchTool', { query })] }] : []),
    { toolCalls: [toolCall(relevant[0]!)] },
    'done',
  ];
  const again = [{ toolCalls: [toolCall(first!.relevant[0]!)] }, 'done'];
  const model = new ScriptedChatModel([...turn(first!), ...turn(second!), ...again]);
  const builder = ChatClient.builder(model).defaultTools(callbacks);
  if (searches) builder.defaultAdvisors(new ToolSearchToolCallingAdvisor({ toolIndex: new KeywordToolIndex() }));
  const client = builder.build();
  for (const { query } of [first!, second!, first!]) {
    await client
      .prompt(query)
      .advisors((spec) => spec.param('chat_memory_conversation_id', 'one'))
      .call()
      .content();
  }
  model.assertDone();
  return model.prompts.reduce(
    (sum, prompt) => sum + tokensOf(offeredToolDefinitions(prompt.options)) + instructionsOf(prompt),
    0,
  );
}

/** What the model is told of the search costs as well. */
function instructionsOf({ systemMessage }: Prompt): number {
  return systemMessage ? encode(systemMessage.text).length : 0;
}

/** How many tokens of definitions a conversation needs with the search and without. */
export async function printTokens({ tools, queries }: Catalogue): Promise<void> {
  console.log(
    '\nTokens of tool definitions over a conversation of three turns (o200k), instructions for the search included:',
  );
  for (const size of SIZES) {
    const some = sample(tools, size);
    const names = new Set(some.map(({ name }) => name));
    const requests = queries.filter(({ relevant }) => relevant.length === 1 && names.has(relevant[0]!)).slice(0, 2);
    if (requests.length < 2) continue;
    const without = await converse(some, requests, false);
    const withSearch = await converse(some, requests, true);
    const cut = (100 * (1 - withSearch / without)).toFixed(1);
    console.log(
      `  ${String(some.length).padStart(5)} tools: ${without} without, ${withSearch} with the search: ${cut} % less`,
    );
  }
}
