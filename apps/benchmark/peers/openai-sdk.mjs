/* The official SDK of OpenAI, with a loop written by hand. */
import OpenAI from 'openai';
import { tool } from '../dist/wire/job.js';
import { QUESTION } from '../dist/work.js';

export const create = (baseURL) => {
  const { name, description, parameters, run } = tool;
  const client = new OpenAI({ baseURL, apiKey: 'test' });
  const request = { model: 'gpt-test', tools: [{ type: 'function', function: { name, description, parameters } }] };
  return {
    name: 'openai',

    async turn() {
      const messages = [{ role: 'user', content: QUESTION }];
      for (;;) {
        const { choices } = await client.chat.completions.create({ ...request, messages });
        const { message } = choices[0];
        if (!message.tool_calls) return message.content;
        messages.push(message);
        for (const { id, function: called } of message.tool_calls) {
          const result = await run(JSON.parse(called.arguments));
          messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
        }
      }
    },

    async stream() {
      const messages = [{ role: 'user', content: QUESTION }];
      let count = 0;
      for await (const { choices } of await client.chat.completions.create({ ...request, messages, stream: true })) {
        if (choices[0]?.delta.content) count++;
      }
      return count;
    },
  };
};
