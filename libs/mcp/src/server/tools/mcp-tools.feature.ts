import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  ListToolsResult,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import {
  errorTypeOf,
  type OutsideAnswer,
  type OutsideCall,
  ToolApprovalException,
  type ToolCallback,
  type ToolCaller,
} from '@nestor-ai/core';
import { ApplicationTools } from '../application-tools.js';
import { hideErrors } from '../calls/hide-errors.js';
import type { McpCaller } from '../mcp-caller.js';
import { McpFeature } from '../mcp-feature.js';
import { MCP_SERVER_OPTIONS } from '../mcp-server.module-definition.js';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { PROMPT_KIND } from '../prompts/mcp-prompt.decorator.js';
import { ClientInput, invalidState, sealedStateIn } from '../input/client-input.js';
import { isMcpInputRequired } from '../input/mcp-input-required.exception.js';
import { INVALID_PARAMS, McpProtocolException } from '../protocol-error.js';
import { RESOURCE_KIND } from '../resources/mcp-resource.decorator.js';
import { askUser, canAskUser, canBeShown, decisionIn } from './call-question.js';
import { toCallToolResult, toFailure } from './call-result.js';
import { ExposedTools } from './exposed-tools.js';
import { progressReporter } from './progress-reporter.js';

/** Lets MCP clients list and call tools of the application. */
@Injectable()
export class McpToolsFeature extends McpFeature implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('McpServerModule');
  readonly #caller: ToolCaller;
  #tools: ExposedTools | undefined;

  constructor(
    private readonly application: ApplicationTools,
    @Inject(MCP_SERVER_OPTIONS) private readonly options: McpServerModuleOptions,
    private readonly input: ClientInput,
  ) {
    super();
    this.#caller = application.callers.of('mcp');
  }

  /** @throws Error if two exposed tools have the same name */
  onModuleInit(): void {
    if (this.application.registry.isComplete) void this.#exposed;
  }

  /** An empty list would not tell the developer what is missing. */
  onApplicationBootstrap(): void {
    const { registry } = this.application;
    const isEmpty = [RESOURCE_KIND, PROMPT_KIND].every((kind) => registry.handlers(kind).length === 0);
    if (!isEmpty || this.#exposed.callbacks.length > 0) return;
    this.logger.warn(
      'MCP clients get no tools, resources or prompts of this application. Mark tools with @Tool({ mcp: true }), or select ' +
        'them with the option tools.',
    );
  }

  override get capabilities(): ServerCapabilities {
    return { tools: { listChanged: true } };
  }

  override serve(server: Server, caller: McpCaller): void {
    server.setRequestHandler('tools/list', async (_request, context) =>
      hideErrors(this.logger, () => this.#list(caller, context), context.mcpReq.signal),
    );
    server.setRequestHandler('tools/call', async (request, context) =>
      hideErrors(this.logger, () => this.#call(server, caller, request, context), context.mcpReq.signal),
    );
  }

  async #list({ request }: McpCaller, { mcpReq }: ServerContext): Promise<ListToolsResult> {
    const tools = this.#exposed;
    return tools.listOf(await this.#caller.visible(tools.callbacks, { request, signal: mcpReq.signal }));
  }

  async #call(
    server: Server,
    { request }: McpCaller,
    { params }: CallToolRequest,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { signal } = context.mcpReq;
    const { name, arguments: given = {} } = params;
    const tool = await this.#find(name, request, signal);
    const onProgress = progressReporter(context);
    const call: OutsideCall = { tool, arguments: given, request, signal, ...(onProgress && { onProgress }) };
    return this.input.serve({ target: name, arguments: given, request }, context, async (toolContext) => {
      const answer = await this.#answer({ ...call, toolContext }, context);
      if (answer.status === 'failed') return toFailure(answer.text);
      if (answer.status === 'waiting') return this.#ask(answer, canAskUser(server, context, answer.call));
      if (isMcpInputRequired(answer.error)) throw answer.error;
      const { outputSchema } = tool.toolDefinition;
      return server.projectCallToolResult(toCallToolResult(answer.response, tool.toolDefinition), outputSchema);
    });
  }

  /** @throws McpProtocolException if the caller has no such tool */
  async #find(name: string, request: object, signal: AbortSignal): Promise<ToolCallback> {
    const tool = this.#exposed.find(name);
    const [visible] = tool ? await this.#caller.visible([tool], { request, signal }) : [];
    if (visible) return visible;
    throw new McpProtocolException(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 100)}`);
  }

  async #answer(
    call: OutsideCall,
    context: ServerContext,
  ): Promise<OutsideAnswer | { readonly status: 'failed'; readonly text: string }> {
    const approvalId = context.mcpReq.requestState();
    try {
      if (typeof approvalId !== 'string' || sealedStateIn(context)) return await this.#caller.call(call);
      const decision = decisionIn(context);
      if (!decision) throw invalidState();
      return await this.#caller.decide(approvalId, decision, call);
    } catch (error) {
      if (context.mcpReq.signal.aborted || error instanceof McpProtocolException) throw error;
      if (error instanceof ToolApprovalException) {
        if (error.problem === 'not-found') throw invalidState();
        return { status: 'failed', text: REFUSALS[error.problem] };
      }
      const { name } = call.tool.toolDefinition;
      this.logger.error(`The call of the tool '${name}' failed: ${errorTypeOf(error)}.`);
      return { status: 'failed', text: `The tool '${name}' failed.` };
    }
  }

  async #ask(
    { call, approvalId }: Extract<OutsideAnswer, { status: 'waiting' }>,
    canAsk: boolean,
  ): Promise<CallToolResult | InputRequiredResult> {
    const waits = `The call of '${call.name}' needs ${call.inputRequest ? 'input of its user' : 'approval'} and was not run.`;
    if (approvalId === undefined) return toFailure(`${waits} You may not give it yourself.`);
    const isShown = canBeShown(call);
    if (canAsk && isShown) return askUser(call, approvalId);
    await this.#caller.forget(approvalId);
    if (!isShown) return toFailure(`${waits} Its arguments are too long for its user to read: send less.`);
    return toFailure(
      `${waits} This client cannot ask its user: use one that supports elicitation and the protocol 2026-07-28, or stdio.`,
    );
  }

  get #exposed(): ExposedTools {
    return (this.#tools ??= new ExposedTools(this.application.registry, this.options.tools));
  }
}

/** What a client is told when a decision is not accepted. */
const REFUSALS: Readonly<Record<Exclude<ToolApprovalException['problem'], 'not-found'>, string>> = {
  conflict: 'The call was decided already.',
  uncertain: 'The call may have run already, so it was not run again.',
  unavailable: 'The tool is not available now.',
  invalid: 'The decision does not fit the call. Make the call again.',
  forbidden: 'You may not approve this call.',
};
