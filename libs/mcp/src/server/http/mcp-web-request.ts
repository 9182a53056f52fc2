import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';

/** Features see the request of Nest. This address only completes the request for the SDK. */
const ADDRESS = 'http://localhost/';

/** Text, bytes or a stream. */
export type UnparsedBody = NonNullable<RequestInit['body']>;

/** The request in the form of the SDK. It carries the request of Nest to the servers that answer it. */
export class McpWebRequest extends Request {
  constructor(
    readonly nestRequest: object,
    input: string | Request,
    init?: RequestInit,
  ) {
    super(input, init);
  }

  /** The SDK copies requests whose body it reads itself. */
  override readonly clone = (): McpWebRequest =>
    new McpWebRequest(this.nestRequest, Request.prototype.clone.call(this));

  /**
   * @param nestRequest what guards and providers see
   * @param incoming the request of Node.js
   * @param body what the application has read of the body: text or bytes. Undefined if it has
   *   parsed the body, or has read nothing.
   * @param signal aborted when the client leaves
   */
  static of(
    nestRequest: object,
    incoming: IncomingMessage,
    body: UnparsedBody | undefined,
    signal: AbortSignal,
  ): McpWebRequest {
    const { method = 'GET' } = incoming;
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
    return new McpWebRequest(nestRequest, ADDRESS, {
      method,
      headers: headersOf(incoming),
      signal,
      // Node.js requires `duplex` for bodies that are streams.
      ...(hasBody && { body, duplex: 'half' as const }),
    });
  }
}

/** The body of a request that the application has not read. */
export function unreadBodyOf(incoming: IncomingMessage): UnparsedBody {
  return Readable.toWeb(incoming) as UnparsedBody;
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    // Names that begin with a colon are pseudo-headers of HTTP/2.
    if (value === undefined || name.startsWith(':')) return [];
    return typeof value === 'string' ? [[name, value]] : value.map((item) => [name, item]);
  });
}
