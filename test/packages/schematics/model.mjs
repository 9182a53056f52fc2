import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** A model that speaks OpenAI's protocol. It calls the weather tool, and repeats the result. */
export async function serveModel() {
  const server = createServer((request, response) => {
    void json(request).then((asked) => response.setHeader('content-type', 'application/json').end(answer(asked)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer({ messages, model }) {
  const result = messages.find(({ role }) => role === 'tool');
  const call = { id: 'call-1', type: 'function', function: { name: 'getTemperature', arguments: '{"city":"Paris"}' } };
  const message = result
    ? { role: 'assistant', content: `The tool said ${result.content}` }
    : { role: 'assistant', content: null, tool_calls: [call] };
  return JSON.stringify({
    id: 'answer-1',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: result ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}
