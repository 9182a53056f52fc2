import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** A request as Nest hands it to controllers: that of Express or Fastify. */
export interface HttpRequest {
  readonly headers: IncomingHttpHeaders;
}

/** A response as Nest hands it to controllers. */
export type HttpResponse = ServerResponse | FastifyReply;

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
}

/**
 * Returns the response of Node.js. Fastify leaves it to the caller from now on. The headers that
 * plugins of the application have set, such as those of CORS, are kept.
 */
export function nodeResponseOf(response: HttpResponse): ServerResponse {
  if (!('hijack' in response)) return response;
  const { raw } = response;
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  response.hijack();
  return raw;
}
