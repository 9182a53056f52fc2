/* OpenAI Agents SDK: Runner.run(). */
import { Agent, Runner, setTracingDisabled, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { catalogueOf, chunkText, FINAL, nextLoop, ONE_CALL, QUESTION, TOOL, weatherAfter } from '../dist/work.js';
import { versionOf } from './version.mjs';

setTracingDisabled(true);

function resultsOf(input) {
  if (!Array.isArray(input)) return 0;
  let count = 0;
  for (let at = input.length - 1; at >= 0 && input[at].role !== 'user'; at--) {
    if (input[at].type === 'function_call_result') count++;
  }
  return count;
}

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
// Its strict schemas know no property that is missing: it is null.
const call = (id) => ({
  type: 'function_call',
  id: `fc_${id}`,
  callId: id,
  name: TOOL,
  arguments: '{"city":"Paris","unit":null}',
  status: 'completed',
});
const message = (text) => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

class Model {
  constructor(work) {
    this.work = work;
  }
  async getResponse({ input }) {
    const done = resultsOf(input);
    const { rounds, parallel } = this.work;
    const output =
      done < rounds * parallel
        ? Array.from({ length: parallel }, (_, index) => call(`call_${done + index}`))
        : [message(FINAL)];
    return { usage: new Usage({ requests: 1, ...usage }), responseId: 'r', output };
  }
  async *getStreamedResponse({ input }) {
    yield { type: 'response_started' };
    if (resultsOf(input) === 0) {
      yield { type: 'response_done', response: { id: 'r', usage, output: [call('call_0')] } };
      return;
    }
    for (let index = 0; index < this.work.chunks; index++) {
      if (this.work.isPaced) await nextLoop();
      yield { type: 'output_text_delta', delta: chunkText(index) };
    }
    yield { type: 'response_done', response: { id: 'r', usage, output: [message(FINAL)] } };
  }
}

const toolsOf = ({ tools, toolDelay }) => {
  const execute = weatherAfter(toolDelay);
  return catalogueOf(tools, z, 'nullable').map(({ name, description, schema }) =>
    tool({ name, description, parameters: schema, execute }),
  );
};

const runner = new Runner({ tracingDisabled: true });
const agentOf = (work, model) =>
  new Agent({ name: 'benchmark', instructions: 'You help.', model, tools: toolsOf(work) });

const historyOf = (turns) =>
  Array.from({ length: turns }, (_, index) => [
    { role: 'user', content: QUESTION },
    call(`old_${index}`),
    {
      type: 'function_call_result',
      callId: `old_${index}`,
      name: TOOL,
      status: 'completed',
      output: { type: 'text', text: '{"temperature":21}' },
    },
    message(FINAL),
  ]).flat();

export const contestant = {
  name: 'OpenAI Agents',
  version: versionOf('@openai/agents'),

  ask(work) {
    const agent = agentOf(work, new Model(work));
    const history = historyOf(work.history);
    return async () => {
      const input = history.length > 0 ? [...history, { role: 'user', content: QUESTION }] : QUESTION;
      return (await runner.run(agent, input, { maxTurns: 1000 })).finalOutput;
    };
  },

  stream(work) {
    const agent = agentOf(ONE_CALL, new Model(work));
    return async (onFirst) => {
      let count = 0;
      const result = await runner.run(agent, QUESTION, { stream: true, maxTurns: 20 });
      for await (const _text of result.toTextStream()) if (count++ === 0) onFirst();
      await result.completed;
      return count;
    };
  },
};
