import type { IncomingMessage } from 'node:http';
import { PayloadTooLargeException } from '@nestjs/common';
import { type UnparsedBody, unreadBodyOf } from './mcp-web-request.js';

/** The body of a request: parsed by the application, or still to be parsed by the SDK. */
export interface RequestBody {
  readonly parsed?: object;
  readonly unparsed?: UnparsedBody;
}

/**
 * Tells how far the application has read the body of a request.
 *
 * @param body what the body parser of the application has made of it
 * @param maxSize in bytes. The SDK checks bodies that it parses itself.
 * @throws PayloadTooLargeException if the body is longer
 */
export function readBody(incoming: IncomingMessage, body: unknown, maxSize: number): RequestBody {
  if (typeof body === 'string' || body instanceof Uint8Array) return { unparsed: body };
  if (typeof body !== 'object' || body === null) return { unparsed: unreadBodyOf(incoming) };
  if (sizeOf(incoming, body) > maxSize) {
    throw new PayloadTooLargeException(`The body of a request to this server can have ${maxSize} bytes.`);
  }
  return { parsed: body };
}

/** `Content-Length` is the size of the body, unless it was compressed or sent in chunks. */
function sizeOf({ headers }: IncomingMessage, body: object): number {
  const length = headers['content-length'];
  if (length !== undefined && headers['content-encoding'] === undefined) return Number(length);
  return Buffer.byteLength(JSON.stringify(body));
}
