import { setImmediate, setTimeout } from 'node:timers/promises';

/** The longest answer of a server over HTTP, in bytes. The SDK has the same bound for a message of a program. */
export const MAX_ANSWER_SIZE = 10_485_760;

/** The most lines of a stream. A message has two or more. */
const MAX_LINES = 20_000;

/** The lines that are read at any pace. */
const MAX_FAST_LINES = 1000;

/** The pause after each further message, in milliseconds: the SDK needs time for each, whatever it says. */
const PAUSE = 1;

/** How many lines without an end of a message are passed on together. */
const LINES_AT_ONCE = 100;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * A `fetch` whose responses fail when they are too long, or would make the SDK work for long:
 * streams of many lines, and lists of messages. While it reads a stream, the process goes on after
 * each message.
 */
export function boundedFetch(send: typeof fetch = fetch, maxSize = MAX_ANSWER_SIZE): typeof fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const type = headers.get('content-type') ?? '';
    // The SDK reads each answer to GET as a stream, whatever its type.
    const isStream = init?.method === 'GET' || /^text\/event-stream\b/i.test(type);
    const content = isStream ? boundLines() : /json/i.test(type) ? refuseLists() : undefined;
    const bounded = response.body.pipeThrough(boundSize(maxSize));
    return new Response(content ? bounded.pipeThrough(content) : bounded, { status, statusText, headers });
  };
}

type Bytes = TransformStream<Uint8Array, Uint8Array>;

function boundSize(maxSize: number): Bytes {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxSize) throw tooLong(`An answer of an MCP server is longer than ${maxSize} bytes.`);
      controller.enqueue(chunk);
    },
  });
}

/** Passes on each event by itself. All lines then end with a line feed: the SDK is slow to find others. */
function boundLines(): Bytes {
  let lines = 0;
  let isLineEmpty = true;
  let hasReturned = false;
  return new TransformStream({
    async transform(chunk, controller) {
      const passed = new Uint8Array(chunk.length);
      let begin = 0;
      let end = 0;
      for (const byte of chunk) {
        const isSecondOfEnd = byte === LINE_FEED && hasReturned;
        hasReturned = byte === CARRIAGE_RETURN;
        if (isSecondOfEnd) continue;
        const isEnd = hasReturned || byte === LINE_FEED;
        passed[end++] = isEnd ? LINE_FEED : byte;
        if (isEnd && ++lines > MAX_LINES) throw tooLong(`An answer of an MCP server has more than ${MAX_LINES} lines.`);
        // An empty line ends an event.
        if (isEnd && (isLineEmpty || lines % LINES_AT_ONCE === 0)) {
          controller.enqueue(passed.subarray(begin, end));
          begin = end;
          await (lines > MAX_FAST_LINES ? setTimeout(PAUSE) : setImmediate());
        }
        isLineEmpty = isEnd;
      }
      if (end > begin) controller.enqueue(passed.subarray(begin, end));
    },
  });
}

/** Clients that send one message at a time get no lists. The SDK reads all messages of a list at once. */
function refuseLists(): Bytes {
  let hasBegun = false;
  return new TransformStream({
    transform(chunk, controller) {
      const first = hasBegun ? undefined : chunk.find((byte) => !BEFORE_JSON.has(byte));
      hasBegun ||= first !== undefined;
      if (first === LIST) throw tooLong('An MCP server has answered with a list of messages.');
      controller.enqueue(chunk);
    },
  });
}

const LIST = '['.charCodeAt(0);

/** White space and the byte order mark. */
const BEFORE_JSON: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));

function tooLong(text: string): Error {
  return Object.assign(new Error(text), { code: 'ERR_MCP_MESSAGE_TOO_LONG' });
}
