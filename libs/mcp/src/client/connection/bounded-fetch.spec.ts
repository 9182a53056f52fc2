import { describe, expect, it } from '@jest/globals';
import { withoutWaiting } from '../../../../../test/fake-timeouts.js';
import { boundedFetch } from './bounded-fetch.js';

const STREAM = 'text/event-stream; charset=utf-8';

function answering(chunks: readonly string[], type: string, status = 200): typeof fetch {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return () => Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));
}

const read = async (send: typeof fetch, maxSize = 10, method = 'POST'): Promise<string> =>
  (await boundedFetch(send, maxSize)('https://a.example.com', { method })).text();

describe('boundedFetch', () => {
  it.each([
    ['a body', 'application/json', 200],
    ['the body of an error', 'text/plain', 500],
    ['a stream', STREAM, 200],
    ['a stream with the status of an error', STREAM, 500],
  ])('refuses %s that is too long', async (_what, type, status) => {
    expect(await read(answering(['12345', '67890'], type, status))).toBe('1234567890');
    await expect(read(answering(['12345', '678901'], type, status))).rejects.toThrow('longer than 10 bytes');
    await expect(read(answering(['\n\n'.repeat(6)], type, status))).rejects.toThrow('longer than 10 bytes');
  });

  it.each([['\n'], ['\r\n'], ['\r']])('passes the events of a stream with the line ends %j', async (end) => {
    const stream = Array.from({ length: 100 }, (_, at) => `id:${at}${end}data:1${end}${end}`).join('');
    const text = stream.replaceAll(end, '\n');
    expect(await read(answering([stream], STREAM), 10_000)).toBe(text);
    // A chunk may end anywhere, also between the two characters of a line end.
    expect(await read(answering(Array.from(stream), STREAM), 10_000)).toBe(text);
  });

  it('reads one message of a stream at a time, and lets the process go on after each', async () => {
    const { body } = await boundedFetch(answering(['data:1\n\n'.repeat(100)], STREAM))('https://a.example.com');
    let turns = 0;
    let others = setImmediate(function again() {
      turns++;
      others = setImmediate(again);
    });
    const chunks: string[] = [];
    for await (const chunk of body!) chunks.push(new TextDecoder().decode(chunk as Uint8Array));
    clearImmediate(others);
    expect(chunks).toEqual(Array(100).fill('data:1\n\n'));
    expect(turns).toBeGreaterThanOrEqual(99);
  });

  it.each([
    ['messages', 'data:1\n\n'],
    ['fields that nobody knows', 'x\n'],
    ['comments', ':\r'],
    ['empty lines', '\r\n'],
  ])('refuses a stream of too many %s', async (_what, line) => {
    const reading = withoutWaiting(() => read(answering([line.repeat(20_001)], STREAM), 1_000_000));
    await expect(reading).rejects.toThrow('more than 20000 lines');
  });

  it('reads each answer to GET as a stream, as the SDK does', async () => {
    const lines = answering(['data:1\n\n'.repeat(20_001)], 'text/plain');
    const reading = withoutWaiting(() => read(lines, 1_000_000, 'GET'));
    await expect(reading).rejects.toThrow('more than 20000 lines');
  });

  it('refuses a list of messages, which the SDK reads at once', async () => {
    for (const list of ['[{}]', ' \n[{}]', '\uFEFF[]'])
      await expect(read(answering(Array.from(list), 'application/json'), 100)).rejects.toThrow('a list');
    expect(await read(answering(['{"a":[]}'], 'application/json'))).toBe('{"a":[]}');
  });

  it('passes a response without a body', async () => {
    const send = () => Promise.resolve(new Response(null, { status: 204 }));
    expect((await boundedFetch(send)('https://a.example.com')).status).toBe(204);
  });
});
