import { type Answer, eventsOf, type Format, jsonOf, PAGE, QUERY, REASONING, SIGNATURE } from './answer.js';

/** Anthropic's messages. */
export const anthropic: Format = (answer, streaming) => {
  const content = blocksOf(answer);
  const stop_reason = answer.calls ? 'tool_use' : 'end_turn';
  const message = { type: 'message', id: 'msg-1', role: 'assistant', model: 'm', content, stop_sequence: null };
  const usage = { input_tokens: 3, output_tokens: 2 };
  if (!streaming) return jsonOf({ ...message, stop_reason, usage });
  return eventsOf([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    ...content.flatMap(eventsOfBlock),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]);
};

type Block = { readonly type: string } & Readonly<Record<string, unknown>>;

function blocksOf({ reasoning, search, text, calls = [] }: Answer): Block[] {
  const page = { type: 'web_search_result', ...PAGE, encrypted_content: 'ZW5jcnlwdGVk', page_age: null };
  return [
    ...(reasoning ? [{ type: 'thinking', thinking: REASONING, signature: SIGNATURE }] : []),
    ...(search
      ? [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: QUERY } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [page] },
        ]
      : []),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ];
}

function eventsOfBlock(block: Block, index: number): object[] {
  const delta = (value: object): object => ({ type: 'content_block_delta', index, delta: value });
  const start = (content_block: object): object => ({ type: 'content_block_start', index, content_block });
  const stop = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '' }),
        delta({ type: 'thinking_delta', thinking: block.thinking }),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop,
      ];
    case 'text':
      return [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: block.text }), stop];
    case 'tool_use':
    case 'server_tool_use': {
      const json = delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) });
      return [start({ ...block, input: {} }), json, stop];
    }
    default:
      return [start(block), stop];
  }
}
