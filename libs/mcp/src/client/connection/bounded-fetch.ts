/** The longest message of a server over HTTP, in bytes. The SDK has the same bound for programs. */
export const MAX_MESSAGE_SIZE = 10_485_760;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * A `fetch` whose responses fail when a message is too long: a whole body, or one event of a
 * stream. A stream of many messages may be as long as it likes.
 */
export function boundedFetch(send: typeof fetch = fetch, maxSize = MAX_MESSAGE_SIZE): typeof fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound(maxSize, isStream)), { status, statusText, headers });
  };
}

function bound(maxSize: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of isStream ? chunk : []) {
        size++;
        // An empty line ends an event.
        if (byte === LINE_FEED && isLineEmpty) size = 0;
        if (size > maxSize) break;
        if (byte !== CARRIAGE_RETURN) isLineEmpty = byte === LINE_FEED;
      }
      if (!isStream) size += chunk.length;
      if (size > maxSize) controller.error(tooLong(maxSize));
      else controller.enqueue(chunk);
    },
  });
}

function tooLong(maxSize: number): Error {
  return Object.assign(new Error(`A message of an MCP server is longer than ${maxSize} bytes.`), {
    code: 'ERR_MCP_MESSAGE_TOO_LONG',
  });
}
