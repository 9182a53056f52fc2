import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus, Logger } from '@nestjs/common';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { throwError } from 'rxjs';
import { AiShutdownException } from '../../model/ai-shutdown.exception.js';
import { errorTypeOf, framesOf } from '../../observability/error-type.js';
import { HTTP_ANSWERS, type HttpAnswer } from './http-answers.js';

/** What the responses of Express and the replies of Fastify have in common. */
interface HttpResponse {
  status(code: number): HttpResponse;
  header(name: string, value: string): HttpResponse;
  send(body: object): unknown;
  /** The response of Node.js, where it is not this one. */
  readonly raw?: ServerResponse;
}

/** What Nest says of an error that it does not know. */
const UNKNOWN = { status: 'error', message: 'Internal server error' };

/**
 * Answers HTTP requests whose turn has failed with a status that says why: approvals that fit no call (404, 409), models that fail (502, 503
 * with `Retry-After`, 504), an application that is shutting down (503), requests that say nothing (400). The body has nothing that was said,
 * and nothing of a provider; the log has the class of what a model failed with.
 *
 * Only these exceptions are caught. In a context other than HTTP, such as a tool call, they stay what they are.
 *
 * @example
 * providers: [{ provide: APP_FILTER, useClass: AiExceptionFilter }]
 */
@Catch(...HTTP_ANSWERS.map(({ type }) => type))
export class AiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(AiExceptionFilter.name);

  catch(exception: Error, host: ArgumentsHost): unknown {
    const type: string = host.getType();
    if (type !== 'http') return this.#leave(exception, host, type);
    const { answer } = HTTP_ANSWERS.find((rule) => exception instanceof rule.type)!;
    const given = answer(exception as never);
    const isFailure = given.status >= HttpStatus.INTERNAL_SERVER_ERROR && !(exception instanceof AiShutdownException);
    if (isFailure) this.#log(exception);
    return send(host.switchToHttp().getResponse(), given);
  }

  /** Nest asks one filter, and none after it. What it does without one, it does only for what it catches itself. */
  #leave(exception: Error, host: ArgumentsHost, type: string): unknown {
    // Thrown from a filter, it would be an unhandled rejection there.
    if (type === 'rpc') {
      this.#log(exception);
      return throwError(() => UNKNOWN);
    }
    if (type === 'ws') {
      this.#log(exception);
      return host.switchToWs().getClient<{ emit(event: string, data: object): void }>().emit('exception', UNKNOWN);
    }
    throw exception;
  }

  #log(exception: Error): void {
    this.logger.error(`A request has failed: ${errorTypeOf(exception)}`, framesOf(exception));
  }
}

function send(response: HttpResponse | ServerResponse, { status, message, retryAfter }: HttpAnswer): unknown {
  const raw = ('raw' in response ? response.raw : response) as ServerResponse;
  // Something has been answered already: all that is left is to end it.
  if (raw.headersSent) return raw.end();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  const body = HttpException.createBody(message, STATUS_CODES[status]!, status);
  if ('send' in response) {
    for (const [name, value] of Object.entries(headers)) response.header(name, value);
    return response.status(status).send(body);
  }
  // Middleware on Fastify has the response of Node.js.
  return raw.writeHead(status, headers).end(JSON.stringify(body));
}
