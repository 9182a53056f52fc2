import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BadRequestException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import { MAX_TOKEN_LENGTH } from '../protocol-error.js';

/** The body of a request: a message, or what the SDK says is none. */
export interface RequestBody {
  readonly parsed?: object;
  readonly unparsed?: Uint8Array;
}

/**
 * Reads the one message of a request, as far as the application has not read it.
 *
 * @param body what the body parser of the application has made of it
 * @param maxSize in bytes
 * @throws PayloadTooLargeException if the body is longer
 * @throws BadRequestException if it has several messages: the guards of the application run once for a
 *   request. Also if its id is too long.
 */
export async function readBody(incoming: IncomingMessage, body: unknown, maxSize: number): Promise<RequestBody> {
  if (typeof body === 'object' && body !== null && !(body instanceof Uint8Array)) {
    if (sizeOf(incoming, body) > maxSize) throw tooLarge(maxSize);
    return { parsed: checkMessage(body) };
  }
  const unparsed = body instanceof Uint8Array ? body : await bytesOf(incoming, body, maxSize);
  if (unparsed.length > maxSize) throw tooLarge(maxSize);
  const parsed = parse(unparsed);
  return typeof parsed === 'object' && parsed !== null ? { parsed: checkMessage(parsed) } : { unparsed };
}

/** `Content-Length` is the size of the body, unless it was compressed or sent in chunks. */
function sizeOf({ headers }: IncomingMessage, body: object): number {
  const length = headers['content-length'];
  if (length !== undefined && headers['content-encoding'] === undefined) return Number(length);
  return Buffer.byteLength(JSON.stringify(body));
}

async function bytesOf(incoming: IncomingMessage, body: unknown, maxSize: number): Promise<Buffer> {
  if (typeof body === 'string') return Buffer.from(body);
  // Fastify also parses JSON that is no object, such as `null`. The stream is at its end then.
  return Readable.isDisturbed(incoming) ? Buffer.from(JSON.stringify(body) ?? '') : readUnread(incoming, maxSize);
}

async function readUnread(incoming: IncomingMessage, maxSize: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The connection is still needed for the answer.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxSize) throw tooLarge(maxSize);
      chunks.push(chunk);
    }
  } catch (error) {
    // Nest would log an error of the connection, although the client has only left.
    throw error instanceof HttpException ? error : new BadRequestException('The body did not arrive.');
  }
  return Buffer.concat(chunks);
}

/** @returns undefined if it is no JSON. The SDK tells the client. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function checkMessage(message: object): object {
  if (Array.isArray(message)) {
    throw new BadRequestException('A request to this server has one message. Send each message of a batch by itself.');
  }
  const { id } = message as { readonly id?: unknown };
  if (typeof id === 'string' && id.length > MAX_TOKEN_LENGTH) {
    throw new BadRequestException(`The id of a request to this server can have ${MAX_TOKEN_LENGTH} characters.`);
  }
  return message;
}

function tooLarge(maxSize: number): PayloadTooLargeException {
  return new PayloadTooLargeException(`The body of a request to this server can have ${maxSize} bytes.`);
}
