import { type Answer, eventsOf, type Format, jsonOf, REASONING } from './answer.js';

const HEAD = { id: 'chat-1', created: 1_700_000_000, model: 'm' };
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

/** Chat completions, as OpenAI and most others have them. Each reads the name of reasoning that it knows. */
export const openaiChat: Format = (answer, streaming) =>
  chat(answer, streaming, {
    content: answer.text ?? (streaming ? undefined : null),
    ...(answer.reasoning && { reasoning_content: REASONING, reasoning: REASONING }),
  });

/** Mistral's, with reasoning as a part of the content. */
export const mistral: Format = (answer, streaming) => {
  const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: REASONING }] }];
  const text = answer.text === undefined ? [] : [{ type: 'text', text: answer.text }];
  return chat(answer, streaming, { content: answer.reasoning ? [...thinking, ...text] : (answer.text ?? '') });
};

function chat({ calls = [] }: Answer, streaming: boolean, said: object): Response {
  const toolCalls = calls.map(({ id, name, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', ...said, ...(calls.length > 0 && { tool_calls: toolCalls }) };
  const finish = calls.length > 0 ? 'tool_calls' : 'stop';
  if (!streaming) {
    const choices = [{ index: 0, message, finish_reason: finish }];
    return jsonOf({ ...HEAD, object: 'chat.completion', choices, usage: USAGE });
  }
  const chunk = (delta: object, finish_reason: string | null): object => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
    ...(finish_reason && { usage: USAGE }),
  });
  return eventsOf([chunk(message, null), chunk({}, finish)], 'data: [DONE]\n\n');
}
