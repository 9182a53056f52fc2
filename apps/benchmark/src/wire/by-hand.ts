/* The provider package of the AI SDK, with a loop written by hand: what everything else is compared with. */
import { createOpenAI } from 'ai-sdk-openai-v4';
import { QUESTION } from '../work.js';
import { type CreateWireContestant, tool } from './job.js';

type Model = ReturnType<ReturnType<typeof createOpenAI>['chat']>;
type CallOptions = Parameters<Model['doGenerate']>[0];
type Messages = CallOptions['prompt'];

const tools: NonNullable<CallOptions['tools']> = [
  { type: 'function', name: tool.name, description: tool.description, inputSchema: tool.parameters },
];
const asking = (): Messages => [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }];

export const create: CreateWireContestant = (baseURL) => {
  const model = createOpenAI({ baseURL, apiKey: 'test' }).chat('gpt-test');
  return {
    name: 'the provider package by hand',

    async turn() {
      const prompt = asking();
      for (;;) {
        const { content } = await model.doGenerate({ prompt, tools });
        const calls = content.filter((part) => part.type === 'tool-call');
        if (calls.length === 0) return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
        const inputs = calls.map(({ input }) => JSON.parse(input) as { city: string });
        const results = await Promise.all(inputs.map((input) => tool.run(input)));
        prompt.push({
          role: 'assistant',
          content: calls.map(({ toolCallId, toolName }, at) => ({
            type: 'tool-call',
            toolCallId,
            toolName,
            input: inputs[at],
          })),
        });
        prompt.push({
          role: 'tool',
          content: calls.map(({ toolCallId, toolName }, at) => ({
            type: 'tool-result',
            toolCallId,
            toolName,
            output: { type: 'text', value: JSON.stringify(results[at]) },
          })),
        });
      }
    },

    async stream() {
      const { stream } = await model.doStream({ prompt: asking(), tools });
      let count = 0;
      const reader = stream.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return count;
        if (value.type === 'error') throw value.error;
        if (value.type === 'text-delta' && value.delta !== '') count++;
      }
    },
  };
};
