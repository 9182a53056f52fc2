import type { ClientCapabilities, InputRequests } from '@modelcontextprotocol/server';
import type { ToolContext } from '@nestor-ai/core';

const INPUT_REQUIRED = Symbol.for('nestor.McpInputRequired');

/** The key of the {@link McpClientInput} in the `ToolContext`. */
export const CLIENT_INPUT = 'mcp';

/** What a {@link McpInputRequiredException} asks. */
export interface McpInputRequiredInit {
  /**
   * The questions, by a key for each: requests of MCP, such as `elicitation/create`. The client has
   * to support them.
   */
  readonly inputRequests: InputRequests;
  /**
   * JSON that the method gets back with the answers. It is signed, but the client can read it and
   * may send it again until it expires after ten minutes.
   */
  readonly state?: unknown;
}

/** What a client can answer, and what it has answered. It comes from the client: validate it. */
export interface McpClientInput {
  /** What the client says it can, such as `elicitation`. Empty for clients of 2025. */
  readonly capabilities: ClientCapabilities;
  /** The answers, by the keys of the questions. Empty before the client was asked. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** The `state` of the exception. Undefined if there was none. */
  readonly state?: unknown;
}

/**
 * Throw it in a method that serves MCP clients to ask the client in the terms of MCP. The client
 * sends its request again with the answers, and the method finds them with `mcpInputOf(context)`.
 *
 * To ask the user for a form, throw `ToolInputRequiredException`: it also works for your own model,
 * and its state stays on the server.
 *
 * @example
 * if (!mcpInputOf(context)?.inputResponses['roots']) {
 *   throw new McpInputRequiredException({ inputRequests: { roots: { method: 'roots/list' } } });
 * }
 */
export class McpInputRequiredException extends Error {
  override readonly name = 'McpInputRequiredException';
  readonly #init: McpInputRequiredInit;

  constructor(init: McpInputRequiredInit) {
    super('The method asks the MCP client for input. Only MCP clients of the protocol 2026-07-28 can answer.');
    this.#init = init;
    Object.defineProperty(this, INPUT_REQUIRED, { value: true });
  }

  get inputRequests(): InputRequests {
    return this.#init.inputRequests;
  }

  get state(): unknown {
    return this.#init.state;
  }

  /** A status below 500, so that `retry` of a tool does not ask twice. */
  getStatus(): number {
    return 409;
  }
}

/** Whether an error is a {@link McpInputRequiredException}, from any copy of this package. */
export function isMcpInputRequired(error: unknown): error is McpInputRequiredException {
  return typeof error === 'object' && error !== null && INPUT_REQUIRED in error;
}

/** What the MCP client that calls a method can answer. Undefined if your own model calls it. */
export function mcpInputOf(context: ToolContext): McpClientInput | undefined {
  return context.get(CLIENT_INPUT) as McpClientInput | undefined;
}
