/* AI SDK: generateText() and streamText(). */
import { generateText, isStepCount, streamText, tool, zodSchema } from 'ai';
import { z } from 'zod';
import { catalogueOf, FINAL, ONE_CALL, QUESTION, TOOL, ARGUMENTS, weatherAfter } from '../dist/work.js';
import { streamingModelOf, turnModelOf } from './language-model.mjs';
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

const historyOf = (turns) =>
  Array.from({ length: turns }, (_, index) => {
    const call = { toolCallId: `old_${index}`, toolName: TOOL };
    return [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: JSON.parse(ARGUMENTS) }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'json', value: { temperature: 21 } } }],
      },
      { role: 'assistant', content: FINAL },
    ];
  }).flat();

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
