import { describe, expect, it } from '@jest/globals';
import { boundedFetch } from './bounded-fetch.js';

function answering(chunks: readonly string[], type: string, status = 200): typeof fetch {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return () => Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));
}

const read = async (send: typeof fetch): Promise<string> =>
  (await boundedFetch(send, 10)('https://a.example.com')).text();

describe('boundedFetch', () => {
  it('refuses a body that is too long, also of an error', async () => {
    expect(await read(answering(['12345', '67890'], 'application/json'))).toBe('1234567890');
    await expect(read(answering(['12345', '678901'], 'application/json'))).rejects.toThrow('longer than 10 bytes');
    await expect(read(answering(['12345678901'], 'text/plain', 500))).rejects.toThrow('longer than 10 bytes');
  });

  it.each([['\n'], ['\r\n']])('counts each event of a stream, with the line ends %j', async (end) => {
    const event = `data:1${end}${end}`;
    const stream = Array.from({ length: 100 }, () => event);
    expect(await read(answering(stream, 'text/event-stream; charset=utf-8'))).toBe(stream.join(''));
  });

  it('refuses a long event, on one line or on many', async () => {
    await expect(read(answering(['data:', '1'.repeat(10)], 'text/event-stream'))).rejects.toThrow(
      'longer than 10 bytes',
    );
    await expect(
      read(
        answering(
          Array.from({ length: 10 }, () => ':1\n'),
          'text/event-stream',
        ),
      ),
    ).rejects.toThrow('longer than 10 bytes');
  });

  it('passes a response without a body', async () => {
    const send = () => Promise.resolve(new Response(null, { status: 204 }));
    expect((await boundedFetch(send)('https://a.example.com')).status).toBe(204);
  });
});
