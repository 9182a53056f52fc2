/* The floor: the loop a person writes by hand. Zod validates, tools run with Promise.all. */
import { z } from 'zod';
import { ARGUMENTS, catalogue, CHUNKS, citySchema, FINAL, measure, QUESTION, sleep, weather } from './harness.js';

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
interface Tool {
  name: string;
  schema: z.ZodType<{ city: string }>;
  execute: (input: { city: string }) => Promise<object>;
}

const results = (messages: Message[]): number => messages.filter(({ role }) => role === 'tool').length;
const calls = (from: number, count: number): Call[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `call_${from + index}`,
    name: 'get_weather',
    arguments: ARGUMENTS,
  }));

function createModel(rounds: number, parallel: number) {
  return {
    async chat({ messages }: { messages: Message[]; tools: unknown }): Promise<Message> {
      const done = results(messages);
      return done < rounds * parallel
        ? { role: 'assistant', content: '', toolCalls: calls(done, parallel) }
        : { role: 'assistant', content: FINAL };
    },
    async *stream({
      messages,
    }: {
      messages: Message[];
      tools: unknown;
    }): AsyncGenerator<{ text?: string; toolCalls?: Call[] }> {
      if (results(messages) === 0) {
        yield { toolCalls: calls(0, 1) };
        return;
      }
      for (let index = 0; index < CHUNKS; index++) yield { text: `w${index} ` };
    },
  };
}

function register(tools: Tool[]) {
  return {
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    definitions: tools.map(({ name, schema }) => ({ name, parameters: z.toJSONSchema(schema) })),
  };
}

type Registry = ReturnType<typeof register>;

async function execute({ byName }: Registry, toolCalls: Call[], messages: Message[]): Promise<void> {
  const answers = await Promise.all(
    toolCalls.map(async (call) => {
      const tool = byName.get(call.name)!;
      const input = tool.schema.parse(JSON.parse(call.arguments));
      return { role: 'tool', id: call.id, content: JSON.stringify(await tool.execute(input)) };
    }),
  );
  messages.push(...answers);
}

function ask(rounds: number, parallel: number, registry: Registry): () => Promise<string> {
  const model = createModel(rounds, parallel);
  return async () => {
    const messages: Message[] = [{ role: 'user', content: QUESTION }];
    for (;;) {
      const answer = await model.chat({ messages, tools: registry.definitions });
      messages.push(answer);
      if (!answer.toolCalls) return answer.content;
      await execute(registry, answer.toolCalls, messages);
    }
  };
}

const one = register([{ name: 'get_weather', schema: citySchema, execute: async ({ city }) => weather(city) }]);
const slow = register([
  { name: 'get_weather', schema: citySchema, execute: async ({ city }) => (await sleep(20), weather(city)) },
]);
const many = register(
  catalogue.map(({ name, schema }) => ({
    name,
    schema: schema as unknown as z.ZodType<{ city: string }>,
    execute: async ({ city }) => weather(city),
  })),
);
const streaming = createModel(1, 1);

await measure('hand-written loop', {
  a: ask(1, 1, one),
  b: ask(10, 1, one),
  c: ask(1, 8, slow),
  e: ask(1, 1, many),
  d: async (onFirst) => {
    let count = 0;
    const messages: Message[] = [{ role: 'user', content: QUESTION }];
    for (;;) {
      let toolCalls: Call[] | undefined;
      for await (const chunk of streaming.stream({ messages, tools: one.definitions })) {
        if (chunk.toolCalls) toolCalls = chunk.toolCalls;
        else if (count++ === 0) onFirst();
      }
      if (!toolCalls) return count;
      messages.push({ role: 'assistant', content: '', toolCalls });
      await execute(one, toolCalls, messages);
    }
  },
});
