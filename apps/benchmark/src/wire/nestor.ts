/* A Nest application with AiModule, over the same provider package. */
import { createOpenAI } from 'ai-sdk-openai-v4';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { clientOf, toolsClass } from '../contestants/nestor.js';
import { QUESTION } from '../work.js';
import type { CreateWireContestant } from './job.js';

export const create: CreateWireContestant = async (baseURL) => {
  const model = new AiSdkChatModel(createOpenAI({ baseURL, apiKey: 'test' }).chat('gpt-test'));
  const client = await clientOf(model, toolsClass(1, 0));
  return {
    name: 'nestor',
    turn: () => client.prompt(QUESTION).call().content(),
    stream: () =>
      new Promise((resolve, reject) => {
        let count = 0;
        client
          .prompt(QUESTION)
          .stream()
          .content()
          .subscribe({ next: () => count++, error: reject, complete: () => resolve(count) });
      }),
  };
};
