import type { IncomingMessage } from 'node:http';

/** Features see the request of Nest. This address only completes the request for the SDK. */
const ADDRESS = 'http://localhost/';

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
   * @param body what the SDK has to parse
   * @param signal aborted when the client leaves
   */
  static of(
    nestRequest: object,
    incoming: IncomingMessage,
    body: Uint8Array | undefined,
    signal: AbortSignal,
  ): McpWebRequest {
    const { method = 'GET' } = incoming;
    return new McpWebRequest(nestRequest, ADDRESS, {
      method,
      headers: headersOf(incoming),
      signal,
      ...(body && { body }),
    });
  }
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    // Names that begin with a colon are pseudo-headers of HTTP/2.
    if (value === undefined || name.startsWith(':')) return [];
    return typeof value === 'string' ? [[name, value]] : value.map((item) => [name, item]);
  });
}
