import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** How much of a stream its client may leave unread, in bytes. The SDK writes to it in any case. */
const MAX_UNREAD = 4_194_304;

/**
 * Sends a response of the SDK.
 *
 * @returns when it is sent, or when the client has left
 */
export async function writeResponse(response: Response, target: ServerResponse): Promise<void> {
  if (target.destroyed || target.headersSent) {
    await response.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(headersOf(response));
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    target.writeHead(response.status, headers);
    await pipeTo(target, response.body!);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  // With a length, Node.js sends the response in one piece.
  target.writeHead(response.status, { ...headers, 'content-length': body.length }).end(body);
}

/** Node.js sets `Connection`, which HTTP/2 does not have. */
function headersOf({ headers }: Response): [string, string][] {
  return [...headers].filter(([name]) => name !== 'connection');
}

async function pipeTo(target: ServerResponse, body: ReadableStream): Promise<void> {
  // The client learns that the stream is open before the first event.
  target.flushHeaders();
  const source = Readable.fromWeb(body);
  target.once('close', () => source.destroy());
  try {
    for await (const event of source) {
      if (target.writableLength > MAX_UNREAD) return void target.destroy();
      target.write(event);
    }
    await finished(target.end());
  } catch (error) {
    // The client has left, which has ended the call.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
