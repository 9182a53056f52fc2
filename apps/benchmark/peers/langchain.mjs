/* LangChain.js: createAgent(). */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { AIMessage, AIMessageChunk, createAgent, HumanMessage, tool, ToolMessage } from 'langchain';
import { z } from 'zod';
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

const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const args = JSON.parse(ARGUMENTS);

function resultsOf(messages) {
  let count = 0;
  for (let at = messages.length - 1; messages[at].getType() !== 'human'; at--) {
    if (messages[at].getType() === 'tool') count++;
  }
  return count;
}

export class TurnModel extends BaseChatModel {
  constructor(work) {
    super({});
    this.work = work;
  }
  _llmType() {
    return 'benchmark';
  }
  _combineLLMOutput() {
    return {};
  }
  // As every provider does: the tools are written in the form that is sent.
  bindTools(tools, kwargs) {
    return this.withConfig({ ...kwargs, tools: tools.map((one) => convertToOpenAITool(one)) });
  }
  async _generate(messages) {
    const done = resultsOf(messages);
    const { rounds, parallel } = this.work;
    const calls = Array.from({ length: parallel }, (_, index) => ({
      id: `call_${done + index}`,
      name: TOOL,
      args,
      type: 'tool_call',
    }));
    const message =
      done < rounds * parallel
        ? new AIMessage({ content: '', usage_metadata, tool_calls: calls })
        : new AIMessage({ content: FINAL, usage_metadata });
    return { generations: [{ text: message.content, message }] };
  }
}

class StreamingModel extends TurnModel {
  async *_streamResponseChunks(messages, _options, runManager) {
    if (resultsOf(messages) === 0) {
      const call = { id: 'call_0', name: TOOL, args: ARGUMENTS, index: 0, type: 'tool_call_chunk' };
      yield new ChatGenerationChunk({
        text: '',
        message: new AIMessageChunk({ content: '', tool_call_chunks: [call] }),
      });
      return;
    }
    for (let index = 0; index < this.work.chunks; index++) {
      if (this.work.isPaced) await nextLoop();
      const text = chunkText(index);
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const toolsOf = ({ tools, toolDelay }) => {
  const execute = weatherAfter(toolDelay);
  return catalogueOf(tools, z).map(({ name, description, schema }) => tool(execute, { name, description, schema }));
};

const historyOf = (turns) =>
  Array.from({ length: turns }, (_, index) => [
    new HumanMessage(QUESTION),
    new AIMessage({ content: '', tool_calls: [{ id: `old_${index}`, name: TOOL, args, type: 'tool_call' }] }),
    new ToolMessage({ tool_call_id: `old_${index}`, name: TOOL, content: '{"temperature":21}' }),
    new AIMessage(FINAL),
  ]).flat();

export const contestant = {
  name: 'LangChain.js',
  version: versionOf('langchain'),

  ask(work) {
    const agent = createAgent({ model: new TurnModel(work), tools: toolsOf(work) });
    const history = historyOf(work.history);
    return async () => {
      const messages = [...history, { role: 'user', content: QUESTION }];
      return (await agent.invoke({ messages }, { recursionLimit: 1000 })).messages.at(-1).content;
    };
  },

  stream(work) {
    const agent = createAgent({ model: new StreamingModel(work), tools: toolsOf(ONE_CALL) });
    return async (onFirst) => {
      let count = 0;
      const messages = [{ role: 'user', content: QUESTION }];
      for await (const [message] of await agent.stream({ messages }, { streamMode: 'messages' })) {
        if (message.getType() === 'ai' && message.content && count++ === 0) onFirst();
      }
      return count;
    };
  },
};
