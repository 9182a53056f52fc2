/* A loop over fetch() alone: as little as an application can do. */
import { QUESTION } from '../work.js';
import { type CreateWireContestant, tool } from './job.js';

interface Message {
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
}

export const create: CreateWireContestant = (baseURL) => {
  const { name, description, parameters, run } = tool;
  const tools = [{ type: 'function', function: { name, description, parameters } }];
  const send = (messages: readonly object[], stream: boolean): Promise<Response> =>
    fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test' },
      body: JSON.stringify({ model: 'gpt-test', messages, tools, ...(stream && { stream }) }),
    });
  return {
    name: 'fetch()',

    async turn() {
      const messages: object[] = [{ role: 'user', content: QUESTION }];
      for (;;) {
        const answer = (await (await send(messages, false)).json()) as { choices: [{ message: Message }] };
        const { message } = answer.choices[0];
        if (!message.tool_calls) return message.content ?? '';
        messages.push(message);
        for (const { id, function: called } of message.tool_calls) {
          const result = await run(JSON.parse(called.arguments) as { city: string });
          messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
        }
      }
    },

    async stream() {
      const { body } = await send([{ role: 'user', content: QUESTION }], true);
      let count = 0;
      let rest = '';
      for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
          const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
          if (choices[0]?.delta.content) count++;
        }
      }
      return count;
    },
  };
};
