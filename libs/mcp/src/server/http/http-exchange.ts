import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';

/** A request as Nest hands it to controllers: that of Express, or of Fastify around `raw`. */
export interface NestRequest {
  readonly raw?: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
  /** The verified token. */
  auth?: AuthInfo;
}

/** A response as Nest hands it to controllers. */
export type NestResponse = ServerResponse | FastifyReply;

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
}

/** Returns the request of Node.js. */
export function nodeRequestOf(request: NestRequest): IncomingMessage {
  return request.raw ?? (request as IncomingMessage);
}

/**
 * Returns the response of Node.js. Fastify leaves it to the caller from now on. The headers that
 * plugins of the application have set, such as those of CORS, are kept.
 */
export function nodeResponseOf(response: NestResponse): ServerResponse {
  if (!('hijack' in response)) return response;
  const { raw } = response;
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  response.hijack();
  return raw;
}
