import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type {
  ClientCapabilities,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import { ApplicationTools } from '../application-tools.js';
import { MCP_SERVER_OPTIONS } from '../mcp-server.module-definition.js';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { INVALID_PARAMS, McpProtocolException } from '../protocol-error.js';
import { SERVER_SDK, type ServerSdk } from '../server-sdk.js';
import { CLIENT_INPUT, isMcpInputRequired, type McpClientInput } from './mcp-input-required.exception.js';

/** A request that may ask its client for input. */
export interface AskingRequest {
  /** What it asks for: the name of a tool or prompt, or a URI. */
  readonly target: string;
  readonly arguments: unknown;
  /** Who asks. A state only counts for the same user. */
  readonly request: object;
}

/** The values for the `ToolContext` of the method. */
export type ClientInputContext = Readonly<Record<string, McpClientInput>>;

interface SealedState {
  /** The request that the state belongs to. */
  readonly of: string;
  readonly state: unknown;
}

/** The beginning of a sealed state. */
const SEALED = 'v1.';

const MIN_SECRET = 32;

/** Where requests of 2026 say what their client can. */
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Passes questions of methods to the client, and its answers to the methods. */
@Injectable()
export class ClientInput {
  readonly #codec: RequestStateCodec<SealedState>;

  /** @throws TypeError if the secret of the states is too short */
  constructor(
    @Inject(MCP_SERVER_OPTIONS) { stateSecret }: McpServerModuleOptions,
    @Inject(SERVER_SDK) sdk: ServerSdk,
    private readonly application: ApplicationTools,
  ) {
    if (stateSecret !== undefined && Buffer.byteLength(stateSecret) < MIN_SECRET) {
      throw new TypeError(`The option stateSecret of McpServerModule needs at least ${MIN_SECRET} characters.`);
    }
    this.#codec = sdk.createRequestStateCodec<SealedState>({ key: stateSecret ?? randomBytes(MIN_SECRET) });
  }

  /**
   * Runs a method. If it throws a `McpInputRequiredException`, the client is asked.
   *
   * @param run gets the answers of the client for the `ToolContext`
   * @throws McpProtocolException if the state was not sealed for this request, or has expired
   */
  async serve<Result>(
    asking: AskingRequest,
    context: ServerContext,
    run: (toolContext: ClientInputContext) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const toolContext = await this.#read(asking, context);
    try {
      return await run(toolContext);
    } catch (error) {
      if (!isMcpInputRequired(error)) throw error;
      const { inputRequests, state } = error;
      const sealed: SealedState = { of: this.#keyOf(asking), state };
      const requestState = state === undefined ? undefined : await this.#codec.mint(sealed);
      return {
        resultType: 'input_required',
        inputRequests,
        ...(requestState !== undefined && { requestState }),
      };
    }
  }

  async #read(asking: AskingRequest, context: ServerContext): Promise<ClientInputContext> {
    const { inputResponses = {}, envelope = {} } = context.mcpReq;
    const capabilities = (Reflect.get(envelope, CAPABILITIES) ?? {}) as ClientCapabilities;
    const sealed = sealedStateIn(context);
    if (sealed === undefined) return { [CLIENT_INPUT]: { capabilities, inputResponses } };
    const { of, state } = await this.#open(sealed, context);
    if (of !== this.#keyOf(asking)) throw invalidState();
    return { [CLIENT_INPUT]: { capabilities, inputResponses, state } };
  }

  async #open(sealed: string, context: ServerContext): Promise<SealedState> {
    try {
      return await this.#codec.verify(sealed, context);
    } catch {
      throw invalidState();
    }
  }

  #keyOf({ target, arguments: given, request }: AskingRequest): string {
    const facts = JSON.stringify([target, given, this.application.principal.subjectOf(request)]);
    return createHash('sha256').update(facts).digest('base64url');
  }
}

/** The state that this server has sealed. Undefined if the request has none, or another one. */
export function sealedStateIn({ mcpReq }: ServerContext): string | undefined {
  const state = mcpReq.requestState();
  return typeof state === 'string' && state.startsWith(SEALED) ? state : undefined;
}

/** The error for a state that the server did not give for this request, or that has expired. */
export function invalidState(): McpProtocolException {
  return new McpProtocolException(INVALID_PARAMS, 'Invalid or expired requestState. Send the request without it.');
}
