/* AI SDK: generateText() and streamText(). */
import { generateText, isStepCount, streamText, tool, zodSchema } from 'ai';
import { z } from 'zod';
import { catalogueOf, ONE_CALL, QUESTION, weatherAfter } from '../dist/work.js';
import { historyOf, streamingModelOf, turnModelOf } from './language-model.mjs';
import { versionOf } from './version.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const stopWhen = isStepCount(1000);

/** @param isWrapped with each schema in `zodSchema()`, which keeps the JSON schema from one request to the next */
const toolsOf = ({ tools, toolDelay }, isWrapped) => {
  const execute = weatherAfter(toolDelay);
  return Object.fromEntries(
    catalogueOf(tools, z).map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: isWrapped ? zodSchema(schema) : schema, execute }),
    ]),
  );
};

const create = (isWrapped) => ({
  name: isWrapped ? 'AI SDK with zodSchema()' : 'AI SDK',
  version: versionOf('ai'),

  ask(work) {
    const model = turnModelOf(work);
    const tools = toolsOf(work, isWrapped);
    const history = historyOf(work.history);
    return async () => {
      const messages = [...history, { role: 'user', content: QUESTION }];
      return (await generateText({ model, tools, messages, stopWhen })).text;
    };
  },

  texts(work) {
    const model = streamingModelOf(work);
    const tools = toolsOf(ONE_CALL, isWrapped);
    return () => streamText({ model, tools, prompt: QUESTION, stopWhen }).textStream;
  },

  stream(work) {
    const model = streamingModelOf(work);
    const tools = toolsOf(ONE_CALL, isWrapped);
    return async (onFirst) => {
      let count = 0;
      for await (const _text of streamText({ model, tools, prompt: QUESTION, stopWhen }).textStream) {
        if (count++ === 0) onFirst();
      }
      return count;
    };
  },
});

export const contestant = create(false);
export const wrapped = create(true);
