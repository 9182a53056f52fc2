import { crc32 } from 'node:zlib';
import { type Answer, type Format, jsonOf, REASONING, SIGNATURE } from './answer.js';

/** Amazon Bedrock's Converse. Its streams are binary: the framing of AWS event streams. */
export const bedrock: Format = (answer, streaming) => {
  const content = blocksOf(answer);
  const stopReason = answer.calls ? 'tool_use' : 'end_turn';
  const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
  if (!streaming) return jsonOf({ output: { message: { role: 'assistant', content } }, stopReason, usage });
  const frames = [
    frame('messageStart', { role: 'assistant' }),
    ...content.flatMap(framesOfBlock),
    frame('messageStop', { stopReason }),
    frame('metadata', { usage }),
  ];
  return new Response(Buffer.concat(frames), { headers: { 'content-type': 'application/vnd.amazon.eventstream' } });
};

interface Block {
  readonly text?: string;
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: object };
  readonly reasoningContent?: { readonly reasoningText: { readonly text: string; readonly signature: string } };
}

function blocksOf({ reasoning, text, calls = [] }: Answer): Block[] {
  return [
    ...(reasoning ? [{ reasoningContent: { reasoningText: { text: REASONING, signature: SIGNATURE } } }] : []),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })),
  ];
}

function framesOfBlock({ text, toolUse, reasoningContent }: Block, contentBlockIndex: number): Buffer[] {
  const delta = (value: object): Buffer => frame('contentBlockDelta', { contentBlockIndex, delta: value });
  const stop = frame('contentBlockStop', { contentBlockIndex });
  if (toolUse) {
    const { input, ...rest } = toolUse;
    const start = frame('contentBlockStart', { contentBlockIndex, start: { toolUse: rest } });
    return [start, delta({ toolUse: { input: JSON.stringify(input) } }), stop];
  }
  if (!reasoningContent) return [delta({ text }), stop];
  const { text: thought, signature } = reasoningContent.reasoningText;
  return [delta({ reasoningContent: { text: thought } }), delta({ reasoningContent: { signature } }), stop];
}

/** Lengths, a checksum of them, headers of type string, the JSON, and a checksum of all. */
function frame(eventType: string, payload: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':message-type': 'event', ':event-type': eventType, ':content-type': 'application/json' }).map(
      ([name, value]) => Buffer.from([name.length, ...Buffer.from(name), 7, 0, value.length, ...Buffer.from(value)]),
    ),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([uint32(headers.length + body.length + 16), uint32(headers.length)]);
  const checked = Buffer.concat([lengths, uint32(crc32(lengths)), headers, body]);
  return Buffer.concat([checked, uint32(crc32(checked))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
