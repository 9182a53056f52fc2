type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** An answer of a provider: the whole response, and the events that stream it. */
export interface WireAnswer {
  readonly whole: object;
  readonly events: readonly WireEvent[];
}

export interface Wire {
  readonly fetch: typeof fetch;
  readonly bodies: Record<string, unknown>[];
}

/** Answers each request with the next answer, in one piece or streamed. */
export function wireOf(...answers: WireAnswer[]): Wire {
  const bodies: Record<string, unknown>[] = [];
  const answer: typeof fetch = async (_url, init) => {
    const body = JSON.parse(String(init?.body)) as Record<string, unknown>;
    const { whole, events } = answers[bodies.length]!;
    bodies.push(body);
    if (body.stream !== true) return Response.json(whole);
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: answer, bodies };
}

export type Item = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

export function openAiAnswer(id: string, items: readonly Item[]): WireAnswer {
  const response = { id, created_at: 1, model: 'gpt-5', output: items };
  const usage = { input_tokens: 9, output_tokens: 7, output_tokens_details: { reasoning_tokens: 4 } };
  return {
    whole: { ...response, usage },
    events: [
      { type: 'response.created', response },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        ...(item.type === 'message'
          ? [{ type: 'response.output_text.delta', item_id: item.id, delta: textOf(item) }]
          : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: { ...response, usage } },
    ],
  };
}

const textOf = (item: Item): string => (item.content as { text: string }[])[0]!.text;
export const message = (id: string, text: string): Item => ({
  type: 'message',
  role: 'assistant',
  id,
  content: [{ type: 'output_text', text, annotations: [] }],
});
export const reasoning = (id: string): Item => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: `secret of ${id}`,
});
export const webSearch = (id: string): Item => ({
  type: 'web_search_call',
  id,
  status: 'completed',
  action: { type: 'search', query: 'news', sources: [{ type: 'url', url: 'https://a.example' }] },
});
export const functionCall = (id: string, call_id: string, name = 'save'): Item => ({
  type: 'function_call',
  id,
  call_id,
  name,
  arguments: '{"note":"n"}',
  status: 'completed',
});

type Block = Readonly<Record<string, unknown>>;

const anthropicUsage = { input_tokens: 9, output_tokens: 7 };

export function anthropicAnswer(id: string, content: readonly Block[], stop_reason: string): WireAnswer {
  const response = { type: 'message', role: 'assistant', id, model: 'claude-test', usage: anthropicUsage };
  return {
    whole: { ...response, content, stop_reason },
    events: [
      { type: 'message_start', message: { ...response, content: [] } },
      ...content.flatMap((block, index) => {
        const { content_block, deltas } = startOf(block);
        return [
          { type: 'content_block_start', index, content_block },
          ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
          { type: 'content_block_stop', index },
        ];
      }),
      { type: 'message_delta', delta: { stop_reason }, usage: anthropicUsage },
      { type: 'message_stop' },
    ],
  };
}

/** A block as it starts, and the deltas that fill it. */
function startOf(block: Block): { content_block: object; deltas: object[] } {
  switch (block.type) {
    case 'thinking':
      return {
        content_block: { type: 'thinking', thinking: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'text':
      return { content_block: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: block.text }] };
    case 'tool_use':
    case 'server_tool_use':
      return {
        content_block: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }],
      };
    default:
      return { content_block: block, deltas: [] };
  }
}
