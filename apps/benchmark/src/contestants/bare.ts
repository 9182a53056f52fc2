/* The floor: the loop a person writes by hand. Zod validates, tools run with Promise.all. */
import { z } from 'zod';
import {
  ARGUMENTS,
  type Ask,
  type AskStreaming,
  catalogueOf,
  chunkText,
  type Contestant,
  FINAL,
  nextLoop,
  ONE_CALL,
  QUESTION,
  type StreamWork,
  TOOL,
  type TurnWork,
  weatherAfter,
} from '../work.js';

interface Call {
  id: string;
  name: string;
  arguments: string;
}
interface Message {
  role: string;
  content: string;
  id?: string;
  toolCalls?: Call[];
}
interface Usage {
  promptTokens: number;
  completionTokens: number;
}
interface BareTool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly execute: (input: { city: string }) => Promise<object>;
}
interface Registry {
  readonly byName: ReadonlyMap<string, BareTool>;
  readonly definitions: readonly object[];
}

/** How many results there are since the user spoke. */
function resultsOf(messages: readonly Message[]): number {
  let count = 0;
  for (let at = messages.length - 1; messages[at]!.role !== 'user'; at--) if (messages[at]!.role === 'tool') count++;
  return count;
}

const calls = (from: number, count: number): Call[] =>
  Array.from({ length: count }, (_, index) => ({ id: `call_${from + index}`, name: TOOL, arguments: ARGUMENTS }));

interface Request {
  readonly messages: readonly Message[];
  readonly tools: unknown;
}

export const modelOf =
  ({ rounds, parallel }: TurnWork) =>
  async ({ messages }: Request): Promise<{ message: Message; usage: Usage }> => {
    const done = resultsOf(messages);
    const usage = { promptTokens: 10, completionTokens: 5 };
    return done < rounds * parallel
      ? { message: { role: 'assistant', content: '', toolCalls: calls(done, parallel) }, usage }
      : { message: { role: 'assistant', content: FINAL }, usage };
  };

const streamingModelOf = ({ chunks, isPaced }: StreamWork) =>
  async function* ({ messages }: Request): AsyncGenerator<{ text?: string; toolCalls?: Call[] }> {
    if (resultsOf(messages) === 0) {
      yield { toolCalls: calls(0, 1) };
      return;
    }
    for (let index = 0; index < chunks; index++) {
      if (isPaced) await nextLoop();
      yield { text: chunkText(index) };
    }
  };

function register(tools: readonly BareTool[]): Registry {
  return {
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    definitions: tools.map(({ name, description, schema }) => ({
      name,
      description,
      parameters: z.toJSONSchema(schema),
    })),
  };
}

function toolsOf({ tools, toolDelay }: TurnWork): BareTool[] {
  const execute = weatherAfter(toolDelay);
  return catalogueOf<z.ZodType>(tools, z).map((tool) => ({ ...tool, execute }));
}

async function execute({ byName }: Registry, toolCalls: Call[], messages: Message[]): Promise<void> {
  const answers = await Promise.all(
    toolCalls.map(async (call) => {
      const tool = byName.get(call.name)!;
      const input = tool.schema.parse(JSON.parse(call.arguments)) as { city: string };
      return { role: 'tool', id: call.id, content: JSON.stringify(await tool.execute(input)) };
    }),
  );
  messages.push(...answers);
}

const historyOf = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, index) => [
    { role: 'user', content: QUESTION },
    { role: 'assistant', content: '', toolCalls: [{ id: `old_${index}`, name: TOOL, arguments: ARGUMENTS }] },
    { role: 'tool', id: `old_${index}`, content: '{"temperature":21}' },
    { role: 'assistant', content: FINAL },
  ]).flat();

/** The loop. */
export function askerOf(
  model: ReturnType<typeof modelOf>,
  tools: readonly BareTool[],
  history: readonly Message[] = [],
): Ask {
  const registry = register(tools);
  return async () => {
    const messages: Message[] = [...history, { role: 'user', content: QUESTION }];
    const taken: Usage = { promptTokens: 0, completionTokens: 0 };
    for (;;) {
      const { message, usage } = await model({ messages, tools: registry.definitions });
      taken.promptTokens += usage.promptTokens;
      taken.completionTokens += usage.completionTokens;
      messages.push(message);
      if (!message.toolCalls) return message.content;
      await execute(registry, message.toolCalls, messages);
    }
  };
}

/** The same, in chunks. */
async function* textsOf(model: ReturnType<typeof streamingModelOf>, registry: Registry): AsyncGenerator<string> {
  const messages: Message[] = [{ role: 'user', content: QUESTION }];
  for (;;) {
    let toolCalls: Call[] | undefined;
    for await (const chunk of model({ messages, tools: registry.definitions })) {
      if (chunk.toolCalls) toolCalls = chunk.toolCalls;
      else yield chunk.text!;
    }
    if (!toolCalls) return;
    messages.push({ role: 'assistant', content: '', toolCalls });
    await execute(registry, toolCalls, messages);
  }
}

export const contestant: Contestant = {
  name: 'hand-written loop',

  ask: (work) => askerOf(modelOf(work), toolsOf(work), historyOf(work.history)),

  stream(work): AskStreaming {
    const model = streamingModelOf(work);
    const registry = register(toolsOf(ONE_CALL));
    return async (onFirst) => {
      let count = 0;
      const messages: Message[] = [{ role: 'user', content: QUESTION }];
      for (;;) {
        let toolCalls: Call[] | undefined;
        for await (const chunk of model({ messages, tools: registry.definitions })) {
          if (chunk.toolCalls) toolCalls = chunk.toolCalls;
          else if (count++ === 0) onFirst();
        }
        if (!toolCalls) return count;
        messages.push({ role: 'assistant', content: '', toolCalls });
        await execute(registry, toolCalls, messages);
      }
    };
  },

  texts(work) {
    const model = streamingModelOf(work);
    const registry = register(toolsOf(ONE_CALL));
    return () => textsOf(model, registry);
  },
};
