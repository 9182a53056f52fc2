import { setTimeout } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  MethodNotAllowedException,
  type OnModuleInit,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { McpHttpHandler as SdkHandler, McpRequestContext, Server } from '@modelcontextprotocol/server';
import { errorTypeOf, type HttpResponse, nodeResponseOf } from '@nestor-ai/core';
import { MCP_SERVER_OPTIONS } from '../mcp-server.module-definition.js';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { McpServerFactory } from '../mcp-server.factory.js';
import { SERVER_SDK, type ServerSdk } from '../server-sdk.js';
import { BearerTokens } from './bearer-tokens.js';
import { CallerEventBus } from './caller-event-bus.js';
import { nodeRequestOf, type NestRequest } from './http-exchange.js';
import { McpWebRequest } from './mcp-web-request.js';
import { readBody, type RequestBody } from './request-body.js';
import { writeResponse } from './write-response.js';

const DEFAULT_MAX_BODY_SIZE = 1_048_576;

/** How long clients may take to read the end of their streams at shutdown, in milliseconds. */
const FLUSH_TIME = 200;

/** A response that is not yet sent. */
interface OpenExchange {
  readonly call: AbortController;
  readonly response: ServerResponse;
  readonly end: Promise<void>;
}

/** Answers the requests to the endpoint, with one handler of the SDK. */
@Injectable()
export class McpHttpHandler implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('McpServerModule');
  readonly #maxBodySize: number;
  readonly #open = new Set<OpenExchange>();
  #handler: SdkHandler | undefined;
  #isClosing = false;

  constructor(
    @Inject(MCP_SERVER_OPTIONS) { maxBodySize = DEFAULT_MAX_BODY_SIZE }: McpServerModuleOptions,
    @Inject(SERVER_SDK) private readonly sdk: ServerSdk,
    private readonly bus: CallerEventBus,
    private readonly servers: McpServerFactory,
    private readonly tokens: BearerTokens,
  ) {
    this.#maxBodySize = maxBodySize;
  }

  /** @throws Error if `maxBodySize` is not a positive number */
  onModuleInit(): void {
    const maxRequestBodySize = this.#maxBodySize;
    if (!Number.isSafeInteger(maxRequestBodySize) || maxRequestBodySize <= 0) {
      throw new Error(`The option maxBodySize of McpServerModule is ${maxRequestBodySize}. Give a number of bytes.`);
    }
    this.#handler = this.sdk.createMcpHandler((context) => this.#createServer(context), {
      bus: this.bus,
      maxRequestBodySize,
      // The message may repeat what the client has sent.
      onerror: (error) => this.logger.debug(`An MCP request was not served: ${errorTypeOf(error)}.`),
    });
  }

  /**
   * @returns when the response is sent, or when the client has left
   * @throws HttpException if the method is TRACE, the body is no single message or too long, or the
   *   application shuts down
   */
  async handle(request: NestRequest, response: HttpResponse): Promise<void> {
    const incoming = nodeRequestOf(request);
    // A request of the SDK cannot have this method. The SDK refuses the others that it does not know.
    if (incoming.method === 'TRACE') throw new MethodNotAllowedException();
    // The SDK refuses other methods.
    const isPost = incoming.method === 'POST';
    const body = isPost ? await readBody(incoming, request.body, this.#maxBodySize) : {};
    if (this.#isClosing) throw new ServiceUnavailableException('The application is shutting down.');
    const call = new AbortController();
    const webRequest = McpWebRequest.of(request, incoming, body.unparsed, call.signal);
    const outgoing = nodeResponseOf(response);
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) call.abort();
    });
    // The client may have left while the guards ran.
    if (outgoing.destroyed) call.abort();
    const exchange = { call, response: outgoing, end: this.#answer(webRequest, request, body, outgoing) };
    this.#open.add(exchange);
    await exchange.end;
    this.#open.delete(exchange);
  }

  /** Ends all calls and streams, after `AiModule` has let running turns finish. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isClosing = true;
    await this.#handler?.close();
    const open = [...this.#open];
    // The SDK does not end the calls of clients of 2025.
    for (const { call } of open) call.abort();
    await Promise.race([Promise.all(open.map(({ end }) => end)), setTimeout(FLUSH_TIME, undefined, { ref: false })]);
    for (const { response } of this.#open) response.destroy();
  }

  async #answer(
    webRequest: Request,
    request: NestRequest,
    { parsed }: RequestBody,
    outgoing: ServerResponse,
  ): Promise<void> {
    try {
      const { auth } = request;
      const isVerified = this.tokens.areRequired && auth;
      const caller = { request, era: 'modern', ...(isVerified && { auth }) } as const;
      const options = { ...(isVerified && { authInfo: auth }), ...(parsed && { parsedBody: parsed }) };
      const response = await this.bus.serve(caller, parsed, () => this.#handler!.fetch(webRequest, options));
      await writeResponse(response, outgoing);
    } catch (error) {
      this.logger.error(`An MCP request failed: ${errorTypeOf(error)}.`);
      outgoing.destroy();
    }
  }

  #createServer({ era, authInfo, requestInfo }: McpRequestContext): Server {
    const { nestRequest } = requestInfo as McpWebRequest;
    try {
      return this.servers.create({ request: nestRequest, era, ...(authInfo && { auth: authInfo }) });
    } catch (error) {
      this.logger.error(`A feature of the MCP server failed: ${errorTypeOf(error)}.`);
      throw error;
    }
  }
}
