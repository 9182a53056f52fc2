import { type Format, jsonOf, REASONING } from './answer.js';

/** Ollama's chat: one JSON, or one a line. */
export const ollama: Format = ({ reasoning, text = '', calls = [] }, streaming) => {
  const head = { model: 'm', created_at: '2026-01-01T00:00:00Z' };
  const message = {
    role: 'assistant',
    content: text,
    ...(reasoning && { thinking: REASONING }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } })),
    }),
  };
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 };
  if (!streaming) return jsonOf({ ...head, message, ...end });
  const lines = [
    { ...head, message, done: false },
    { ...head, message: { role: 'assistant', content: '' }, ...end },
  ];
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'content-type': 'application/x-ndjson' },
  });
};
