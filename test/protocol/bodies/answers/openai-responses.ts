import { type Answer, eventsOf, type Format, jsonOf, PAGE, QUERY, REASONING, SIGNATURE } from './answer.js';

const USAGE = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

/** OpenAI's Responses. */
export const openaiResponses: Format = (answer, streaming) => {
  const output = itemsOf(answer);
  const response = {
    object: 'response',
    id: 'resp-1',
    created_at: 1_700_000_000,
    model: 'm',
    status: 'completed',
    output,
    usage: USAGE,
  };
  if (!streaming) return jsonOf(response);
  const created = { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } };
  const completed = { type: 'response.completed', response };
  return eventsOf(
    [created, ...output.flatMap(eventsOfItem), completed].map((event, sequence_number) => ({
      ...event,
      sequence_number,
    })),
  );
};

type Item = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;

function itemsOf({ reasoning, search, text, calls = [] }: Answer): Item[] {
  const summary = [{ type: 'summary_text', text: REASONING }];
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  const action = { type: 'search', query: QUERY, sources: [{ type: 'url', url: PAGE.url }] };
  return [
    ...(reasoning
      ? [{ type: 'reasoning', id: 'rs_1', status: 'completed', encrypted_content: SIGNATURE, summary }]
      : []),
    ...(search ? [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action }] : []),
    ...(text === undefined ? [] : [{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content }]),
    ...calls.map(({ id, name, args }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    })),
  ];
}

function eventsOfItem(item: Item, output_index: number): object[] {
  const at = { item_id: item.id, output_index, summary_index: 0, content_index: 0 };
  const empty = { reasoning: { summary: [] }, message: { content: [] }, function_call: { arguments: '' } };
  const started = { ...item, ...empty[item.type as keyof typeof empty] };
  return [
    { type: 'response.output_item.added', output_index, item: started },
    ...deltasOf(item, at),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function deltasOf(item: Item, at: object): object[] {
  if (item.type === 'reasoning') {
    const part = { type: 'summary_text', text: REASONING };
    return [
      { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...at, delta: REASONING },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    ];
  }
  if (item.type === 'message') {
    const [{ text }] = item.content as [{ text: string }];
    return [{ type: 'response.output_text.delta', ...at, delta: text, logprobs: [] }];
  }
  return item.type === 'function_call'
    ? [{ type: 'response.function_call_arguments.delta', ...at, delta: item.arguments }]
    : [];
}
