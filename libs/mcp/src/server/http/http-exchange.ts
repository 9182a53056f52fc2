import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';

/** A request as Nest hands it to controllers: that of Express, or of Fastify around `raw`. */
export interface NestRequest {
  readonly raw?: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
  /** The verified token. */
  auth?: AuthInfo;
}

/** Returns the request of Node.js. */
export function nodeRequestOf(request: NestRequest): IncomingMessage {
  return request.raw ?? (request as IncomingMessage);
}
