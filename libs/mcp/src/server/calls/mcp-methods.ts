import { Injectable, Logger } from '@nestjs/common';
import type { OutsideCaller, ToolCallback, ToolCaller } from '@nestor-ai/core';
import { ApplicationTools } from '../application-tools.js';
import { isMcpInputRequired } from '../input/mcp-input-required.exception.js';
import type { McpCaller } from '../mcp-caller.js';
import { toProtocolException } from './answer-error.js';
import { hideErrors } from './hide-errors.js';
import { INTERNAL_ERROR, McpProtocolException } from '../protocol-error.js';

/** The name of MCP clients in events and audit records. */
const CALLER_NAME = 'mcp';

/** A method that clients may call, such as the one of a resource. */
export interface McpMethod {
  readonly tool: ToolCallback;
}

/** Methods whose visibility is decided together. */
export interface McpMethodList<Method extends McpMethod> {
  readonly methods: readonly Method[];
  readonly tools: readonly ToolCallback[];
}

/** The frozen list of some methods. */
export function methodList<Method extends McpMethod>(methods: readonly Method[]): McpMethodList<Method> {
  return { methods: Object.freeze([...methods]), tools: Object.freeze(methods.map(({ tool }) => tool)) };
}

/** Details of a call. */
export interface McpMethodCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Values for the `ToolContext` of the method. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/**
 * Calls methods of resources, prompts and completions like tools: behind guards, interceptors and
 * filters, with validated arguments, on the right instance, with audit and telemetry.
 */
@Injectable()
export class McpMethods {
  readonly #logger = new Logger('McpServer');
  readonly #tools: ToolCaller;

  constructor({ callers }: ApplicationTools) {
    this.#tools = callers.of(CALLER_NAME);
  }

  /** The methods that the caller may see: the same list if they are all. */
  async visible<Method extends McpMethod>(
    { methods, tools }: McpMethodList<Method>,
    caller: McpCaller,
  ): Promise<readonly Method[]> {
    const seen = await hideErrors(this.#logger, async () => this.#tools.visible(tools, toOutsideCaller(caller)));
    if (seen === tools) return methods;
    const kept = new Set(seen);
    return methods.filter(({ tool }) => kept.has(tool));
  }

  /** Whether the caller may see a method. */
  async isVisible({ tool }: McpMethod, caller: McpCaller): Promise<boolean> {
    const seen = await hideErrors(this.#logger, async () => this.#tools.visible([tool], toOutsideCaller(caller)));
    return seen.length > 0;
  }

  /**
   * Calls a method.
   *
   * @returns the value that its result converter made
   * @throws McpInputRequiredException if the method asks the client
   * @throws McpProtocolException for the client; `McpMissingException` and `McpForbiddenException` for what they say
   */
  async call({ tool }: McpMethod, call: McpMethodCall, caller: McpCaller): Promise<unknown> {
    const answer = await hideErrors(
      this.#logger,
      () => this.#tools.call({ ...toOutsideCaller(caller), ...call, tool }),
      call.signal,
    );
    if (answer.status === 'waiting') {
      if (answer.approvalId !== undefined) await this.#tools.forget(answer.approvalId);
      throw new McpProtocolException(INTERNAL_ERROR, 'A human must approve this request, which only works for tools.');
    }
    if (isMcpInputRequired(answer.error)) throw answer.error;
    if (answer.response.isError) throw toProtocolException(answer);
    return answer.response.value;
  }
}

function toOutsideCaller({ request }: McpCaller): OutsideCaller {
  return { request };
}
