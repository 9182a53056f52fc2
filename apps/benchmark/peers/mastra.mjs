/* Mastra: Agent.generate() and .stream(). */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { catalogueOf, ONE_CALL, QUESTION, weatherAfter } from '../dist/work.js';
import { historyOf, streamingModelOf, turnModelOf } from './language-model.mjs';
import { versionOf } from './version.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const toolsOf = ({ tools, toolDelay }) => {
  const execute = weatherAfter(toolDelay);
  return Object.fromEntries(
    catalogueOf(tools, z).map(({ name, description, schema }) => [
      name,
      createTool({ id: name, description, inputSchema: schema, execute }),
    ]),
  );
};

const agentOf = (model, work) =>
  new Agent({ id: 'benchmark', name: 'benchmark', instructions: 'You help.', model, tools: toolsOf(work) });

export const contestant = {
  name: 'Mastra',
  version: versionOf('@mastra/core'),

  ask(work) {
    const agent = agentOf(turnModelOf(work), work);
    const history = historyOf(work.history);
    const options = { maxSteps: 1000, toolCallConcurrency: 10 };
    return async () => (await agent.generate([...history, { role: 'user', content: QUESTION }], options)).text;
  },

  stream(work) {
    const agent = agentOf(streamingModelOf(work), ONE_CALL);
    return async (onFirst) => {
      let count = 0;
      const { textStream } = await agent.stream(QUESTION, { maxSteps: 20 });
      for await (const _text of textStream) if (count++ === 0) onFirst();
      return count;
    };
  },
};
