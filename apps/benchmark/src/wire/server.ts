/*
 * A model over HTTP, in a process of its own so that its CPU time is not counted: OpenAI's chat completions. Answers a question with a tool
 * call, a tool result with a text, and a request for a stream with {@link CHUNKS} chunks. Prints its address, and serves until it is ended.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { printResult } from '../children.js';
import { ARGUMENTS, chunkText, FINAL, TOOL } from '../work.js';
import { CHUNKS } from './job.js';

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'gpt-test' };
const USAGE = { prompt_tokens: 50, completion_tokens: 10, total_tokens: 60 };

const completion = (message: object, finish_reason: string): string =>
  JSON.stringify({
    ...HEAD,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: null, ...message }, finish_reason }],
    usage: USAGE,
  });

const event = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const tool_calls = [{ id: 'call_1', type: 'function', function: { name: TOOL, arguments: ARGUMENTS } }];
const asking = completion({ tool_calls }, 'tool_calls');
const answering = completion({ content: FINAL }, 'stop');
const streaming = [
  event({ role: 'assistant', content: '' }),
  ...Array.from({ length: CHUNKS }, (_, index) => event({ content: chunkText(index) })),
  event({}, 'stop'),
  `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE })}\n\n`,
  'data: [DONE]\n\n',
].join('');

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(pieces).toString()) as { stream?: boolean; messages: { role: string }[] };
    const type = body.stream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    if (body.stream) response.end(streaming);
    else response.end(body.messages.at(-1)?.role === 'tool' ? answering : asking);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  printResult({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
});
process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
