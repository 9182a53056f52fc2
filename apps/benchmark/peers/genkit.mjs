/* Genkit: generate() and generateStream(). */
import { genkit, z } from 'genkit';
import { logger } from 'genkit/logging';
import {
  ARGUMENTS,
  catalogueOf,
  chunkText,
  FINAL,
  nextLoop,
  ONE_CALL,
  QUESTION,
  TOOL,
  weatherAfter,
} from '../dist/work.js';
import { versionOf } from './version.mjs';

logger.setLogLevel('error');

const input = JSON.parse(ARGUMENTS);
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

function resultsOf(messages) {
  let count = 0;
  for (let at = messages.length - 1; messages[at].role !== 'user'; at--) {
    for (const part of messages[at].content) if (part.toolResponse) count++;
  }
  return count;
}

const answer = (content) => ({ message: { role: 'model', content }, finishReason: 'stop', usage });
const request = (ref) => ({ toolRequest: { name: TOOL, ref, input } });

function modelOf(ai, { rounds = 1, parallel = 1, chunks = 0, isPaced = false }) {
  const model = { name: 'benchmark', supports: { tools: true, multiturn: true } };
  return ai.defineModel(model, async ({ messages }, send) => {
    const done = resultsOf(messages);
    if (done < rounds * parallel) {
      return answer(Array.from({ length: parallel }, (_, index) => request(`call_${done + index}`)));
    }
    // Its models push their chunks; the reader runs in between, as it would with a network.
    for (let index = 0; index < chunks; index++) {
      if (isPaced) await nextLoop();
      send({ content: [{ text: chunkText(index) }] });
      await Promise.resolve();
    }
    return answer([{ text: FINAL }]);
  });
}

const toolsOf = (ai, { tools, toolDelay }) => {
  const execute = weatherAfter(toolDelay);
  return catalogueOf(tools, z).map(({ name, description, schema }) =>
    ai.defineTool({ name, description, inputSchema: schema }, execute),
  );
};

const historyOf = (turns) =>
  Array.from({ length: turns }, (_, index) => [
    { role: 'user', content: [{ text: QUESTION }] },
    { role: 'model', content: [request(`old_${index}`)] },
    { role: 'tool', content: [{ toolResponse: { name: TOOL, ref: `old_${index}`, output: { temperature: 21 } } }] },
    { role: 'model', content: [{ text: FINAL }] },
  ]).flat();

export const contestant = {
  name: 'Genkit',
  version: versionOf('genkit'),

  ask(work) {
    const ai = genkit({});
    const model = modelOf(ai, work);
    const tools = toolsOf(ai, work);
    const messages = historyOf(work.history);
    return async () => (await ai.generate({ model, messages, prompt: QUESTION, tools, maxTurns: 1000 })).text;
  },

  stream(work) {
    const ai = genkit({});
    const model = modelOf(ai, work);
    const tools = toolsOf(ai, ONE_CALL);
    return async (onFirst) => {
      let count = 0;
      const { stream, response } = ai.generateStream({ model, prompt: QUESTION, tools, maxTurns: 20 });
      for await (const chunk of stream) if (chunk.role === 'model' && chunk.text && count++ === 0) onFirst();
      await response;
      return count;
    };
  },
};
