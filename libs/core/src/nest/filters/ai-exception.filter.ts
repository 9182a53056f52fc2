import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  type HttpServer,
  Logger,
} from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { throwError } from 'rxjs';
import { StructuredOutputException } from '../../advisor/structured-output/structured-output.exception.js';
import { ReturnedRequestException } from '../../client/returned-request.exception.js';
import { loggedMessageOf } from '../../model/chat-model.exception.js';
import { errorTypeOf, framesOf } from '../../model/error-type.js';
import { AI_TOOL_CONTEXT_TYPE } from '../invocation/tool-invocation.js';
import { HTTP_ANSWERS, httpAnswerOf, isLogged } from '../../client/http-answers.js';

/** The common methods of Express responses and Fastify replies. */
interface HttpResponse {
  status(code: number): HttpResponse;
  header(name: string, value: string): HttpResponse;
  send(body: object): unknown;
  /** Fastify only: the response of Node.js. */
  readonly raw?: ServerResponse;
}

/** A client of socket.io or of `ws`. */
interface SocketClient {
  /** Sends to the client with socket.io. With `ws`, it only calls listeners on the server. */
  emit(event: string, data: object): void;
  send(text: string): void;
  /** With `ws`, a number, as for every standard WebSocket. */
  readonly readyState?: unknown;
}

type AnyResponse = HttpResponse | ServerResponse;

/** Gives Nest's answers to all other exceptions. */
const NESTS = new BaseExceptionFilter({
  isHeadersSent: (response: AnyResponse) => rawOf(response).headersSent,
  end: (response: AnyResponse) => rawOf(response).end(),
  reply,
} as unknown as HttpServer);

const JSON_TYPE = 'application/json; charset=utf-8';

/** Nest's answer to an unknown error. */
const UNKNOWN = { status: 'error', message: 'Internal server error' };

/**
 * Answers HTTP requests whose turn has failed with a matching status:
 *
 * - 400: the request has no message, or no valid id of a conversation.
 * - 404: the conversation belongs to somebody else.
 * - 404 and 409: an approval does not match a pending call.
 * - 502, 503 with `Retry-After`, 504: the model failed.
 * - 503: the application is shutting down.
 * - 500: a handler returned a request without its answer. The body says what is missing in the code.
 *
 * The body contains nothing from the conversation and no details of the model provider. The log
 * contains the class of the model's error, or its message if it is `isLoggable` or about the form.
 *
 * A GraphQL client gets the same status and message as an error. The filter catches only these
 * exceptions. In other contexts, such as a tool call, they pass unchanged.
 *
 * `AiModule` registers it for all HTTP requests. Filters of the application that catch one of these
 * exceptions, such as one with `@Catch()`, come first: they can call its `catch()`. Nest gives no global
 * filters to gateways: add `@UseFilters(AiExceptionFilter)` there.
 */
@Catch(...HTTP_ANSWERS.map(({ type }) => type))
export class AiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(AiExceptionFilter.name);

  catch(exception: Error, host: ArgumentsHost): unknown {
    const type: string = host.getType();
    if (type !== 'http' && type !== 'graphql') return this.#pass(exception, host, type);
    const given = httpAnswerOf(exception);
    // A filter of the application may hand over any exception.
    if (!given) return type === 'http' ? NESTS.catch(exception, host) : this.#pass(exception, host, type);
    if (isLogged(exception, given)) this.#log(exception);
    // The server of GraphQL sends the message of what is thrown.
    if (type === 'graphql') throw new HttpException(given.message, given.status);
    const { status, message, retryAfter } = given;
    const response = host.switchToHttp().getResponse<AnyResponse>();
    if (retryAfter !== undefined && !rawOf(response).headersSent) {
      if ('send' in response) response.header('retry-after', String(retryAfter));
      else response.setHeader('retry-after', String(retryAfter));
    }
    return NESTS.catch(
      new HttpException(HttpException.createBody(message, STATUS_CODES[status]!, status), status),
      host,
    );
  }

  /** Nest runs only one filter. This does the same as Nest's default filter of the context. */
  #pass(exception: Error, host: ArgumentsHost, type: string): unknown {
    // An error thrown here would become an unhandled rejection.
    if (type === 'rpc') {
      this.#log(exception);
      return throwError(() => UNKNOWN);
    }
    if (type === 'ws') {
      this.#log(exception);
      return tellSocket(host.switchToWs().getClient());
    }
    if (type !== AI_TOOL_CONTEXT_TYPE) this.#log(exception);
    throw exception;
  }

  #log(exception: Error): void {
    const isShown = exception instanceof ReturnedRequestException || exception instanceof StructuredOutputException;
    const what = isShown ? String(exception) : (loggedMessageOf(exception) ?? errorTypeOf(exception));
    this.logger.error(`A request failed: ${what}`, framesOf(exception));
  }
}

function tellSocket(client: SocketClient): void {
  if (typeof client.readyState !== 'number') return client.emit('exception', UNKNOWN);
  return client.send(JSON.stringify({ event: 'exception', data: UNKNOWN }));
}

function reply(response: AnyResponse, body: object, status: number): unknown {
  if ('send' in response) return response.header('content-type', JSON_TYPE).status(status).send(body);
  // Middleware on Fastify receives the response of Node.js.
  return rawOf(response).writeHead(status, { 'content-type': JSON_TYPE }).end(JSON.stringify(body));
}

function rawOf(response: AnyResponse): ServerResponse {
  return ('raw' in response ? response.raw : response) as ServerResponse;
}
