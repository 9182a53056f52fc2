/* generateText() and streamText() of the AI SDK, over the same provider package. */
import { createOpenAI } from 'ai-sdk-openai-v4';
import { generateText, isStepCount, jsonSchema, streamText, tool as toolOf } from 'ai-v7';
import { QUESTION } from '../work.js';
import { type CreateWireContestant, tool } from './job.js';

export const create: CreateWireContestant = (baseURL) => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { name, description, parameters, run } = tool;
  const inputSchema = jsonSchema<{ city: string }>(parameters);
  const settings = {
    model: createOpenAI({ baseURL, apiKey: 'test' }).chat('gpt-test'),
    prompt: QUESTION,
    tools: { [name]: toolOf({ description, inputSchema, execute: run }) },
    stopWhen: isStepCount(10),
  };
  return {
    name: 'AI SDK',
    turn: async () => (await generateText(settings)).text,
    stream: async () => {
      let count = 0;
      for await (const text of streamText(settings).textStream) if (text !== '') count++;
      return count;
    },
  };
};
