/* A language model of the AI SDK's specification, which Mastra takes as well. */
import { ARGUMENTS, chunkText, FINAL, nextLoop, QUESTION, TOOL } from '../dist/work.js';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};
const finish = (reason, raw = reason) => ({ finishReason: { unified: reason, raw }, usage });
const base = { specificationVersion: 'v4', provider: 'benchmark', modelId: 'benchmark', supportedUrls: {} };

/** How many results there are since the user spoke. */
function resultsOf(prompt) {
  let count = 0;
  for (let at = prompt.length - 1; prompt[at].role !== 'user'; at--) {
    if (prompt[at].role === 'tool') count += prompt[at].content.length;
  }
  return count;
}

const call = (toolCallId) => ({ type: 'tool-call', toolCallId, toolName: TOOL, input: ARGUMENTS });
const idOf = (index) => `call_${index}`;

/** Answers at once, in one piece; Mastra asks it for a stream all the same. */
export function turnModelOf({ rounds, parallel, callId = idOf }) {
  const answer = (prompt) => {
    const done = resultsOf(prompt);
    return done < rounds * parallel
      ? { content: Array.from({ length: parallel }, (_, index) => call(callId(done + index))), ...finish('tool-calls') }
      : { content: [{ type: 'text', text: FINAL }], ...finish('stop') };
  };
  return {
    ...base,
    doGenerate: async ({ prompt }) => ({ ...answer(prompt), warnings: [] }),
    doStream: async ({ prompt }) => {
      const { content, ...end } = answer(prompt);
      const parts = content.flatMap((part) => (part.type === 'text' ? textParts(part.text) : [part]));
      return { stream: ready([start, ...parts, { type: 'finish', ...end }]) };
    },
  };
}

const start = { type: 'stream-start', warnings: [] };
const delta = (text) => ({ type: 'text-delta', id: 't', delta: text });
const textParts = (text) => [{ type: 'text-start', id: 't' }, delta(text), { type: 'text-end', id: 't' }];

const ready = (parts) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

async function* paced(parts) {
  for (const part of parts) {
    if (part.type === 'text-delta') await nextLoop();
    yield part;
  }
}

/** Answers in chunks. */
export function streamingModelOf({ chunks, isPaced }) {
  // Made once, so that the model costs little.
  const calling = [
    start,
    { type: 'tool-input-start', id: 'call_0', toolName: TOOL },
    { type: 'tool-input-delta', id: 'call_0', delta: ARGUMENTS },
    { type: 'tool-input-end', id: 'call_0' },
    call(idOf(0)),
    { type: 'finish', ...finish('tool-calls') },
  ];
  const answering = [
    start,
    { type: 'text-start', id: 't' },
    ...Array.from({ length: chunks }, (_, index) => delta(chunkText(index))),
    { type: 'text-end', id: 't' },
    { type: 'finish', ...finish('stop') },
  ];
  return {
    ...base,
    doGenerate: async () => {
      throw new Error('This model answers in chunks.');
    },
    doStream: async ({ prompt }) => {
      if (resultsOf(prompt) === 0) return { stream: ready(calling) };
      return { stream: isPaced ? ReadableStream.from(paced(answering)) : ready(answering) };
    },
  };
}

/** So many turns that have gone before, as messages of the AI SDK. */
export const historyOf = (turns) =>
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
