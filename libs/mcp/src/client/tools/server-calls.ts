import { setTimeout as pause } from 'node:timers/promises';
import type { InputRequiredResult, RequestOptions } from '@modelcontextprotocol/client';
import { type ToolContext, type ToolDefinition, ToolExecutionException, ToolResult } from '@nestor-ai/core';
import { inTime, MAX_TIMEOUT } from '@nestor-ai/core/internal';
import type { McpSession, McpSessions } from '../connection/mcp-session.js';
import { DEFAULT_TIMEOUT, type McpServerConnection } from '../mcp-client.options.js';
import { type AskedInput, CallDialog, type ServerAnswer } from './call-dialog.js';
import { failureText, neverRan, refusalOf, toRefusedResult } from './call-failure.js';
import { progressTo } from './call-progress.js';
import { ElicitedInput, readPagesRequired } from './elicited-input.js';
import { isInputRequired, readInputRequired, type RetryParams, toRetryParams } from './input-required.js';

/**
 * Sends one request to a server, with the limits of a tool call.
 *
 * @param retry the answers of the user, for the parameters of a request that may be interrupted
 */
export type ServerRequest = (
  session: McpSession,
  options: RequestOptions,
  retry: RetryParams,
) => Promise<ToolResult | InputRequiredResult>;

/** A request with the answers of the user, for a server of either protocol. */
interface AnsweredRequest {
  readonly send: ServerRequest;
  readonly retry: RetryParams;
  readonly answers: readonly ServerAnswer[];
  /** Aborted when the call has to end. */
  readonly signal: AbortSignal;
}

/** How many times the timeout a call may take in all. A server decides how much progress it reports. */
const MAX_EXTENSION = 60;

/** How often a call is sent to a server that wants to be asked again later. */
const MAX_ATTEMPTS = 10;

/** The time between these attempts, in milliseconds. It is that of the SDK. */
const PAUSE = 250;

/** Sends the tool calls of the model to a server, with the credential of the caller. */
export class ServerCalls {
  readonly #sessions: McpSessions;

  constructor(
    readonly server: McpServerConnection,
    sessions: McpSessions,
  ) {
    this.#sessions = sessions;
  }

  /**
   * Runs a call, with the answers of the user if the server has asked for them.
   *
   * @throws ToolExecutionException if the server does not answer
   * @throws ToolInputRequiredException if the server asks the user
   */
  async run(definition: ToolDefinition, context: ToolContext, send: ServerRequest): Promise<ToolResult> {
    const dialog = new CallDialog(this.server.name, definition, context.input);
    if (dialog.isOpen) return dialog.askNext();
    const { timeout = DEFAULT_TIMEOUT } = this.server;
    const limit = new AbortController();
    const signal = AbortSignal.any([context.signal, limit.signal]);
    const answer = this.#runDialog(dialog, definition, context, send, signal);
    return inTime(answer, Math.min(timeout * MAX_EXTENSION, MAX_TIMEOUT), () => {
      limit.abort();
      return failed(definition, failureText(this.server, { code: 'REQUEST_TIMEOUT' }));
    });
  }

  /** Sends the call until the server has an answer or a question. */
  async #runDialog(
    dialog: CallDialog,
    definition: ToolDefinition,
    context: ToolContext,
    send: ServerRequest,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { answers } = dialog;
    let retry = toRetryParams(dialog);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const outcome = await this.#exchange(definition, context, { send, retry, answers, signal });
      if (outcome instanceof ToolResult) return outcome;
      if (outcome.questions.length > 0) return dialog.ask(outcome);
      retry = { requestState: outcome.requestState! };
      await pause(PAUSE, undefined, { signal });
    }
    return dialog.refuse('It did not say what it needs.');
  }

  /** Sends a request. Repeats it once with another connection if the server certainly did not run it. */
  async #exchange(
    definition: ToolDefinition,
    context: ToolContext,
    request: AnsweredRequest,
    isRepeated = false,
  ): Promise<ToolResult | AskedInput> {
    const session = await this.#connect(definition, context, request.signal);
    try {
      return await this.#send(session, context, request);
    } catch (error) {
      if (isRepeated || request.signal.aborted || !neverRan(error)) return this.#answer(definition, context, error);
      return this.#exchange(definition, context, request, true);
    }
  }

  /** The session of the caller, never one that was opened for somebody else. */
  async #connect(definition: ToolDefinition, { request }: ToolContext, signal: AbortSignal): Promise<McpSession> {
    try {
      return await this.#sessions.session(this.server.name, request, signal);
    } catch {
      signal.throwIfAborted();
      // The error says what the operator can do, which helps no model.
      throw failed(definition, `The MCP server '${this.server.name}' is not available now. The call did not run.`);
    }
  }

  async #send(
    session: McpSession,
    context: ToolContext,
    { send, retry, answers, signal }: AnsweredRequest,
  ): Promise<ToolResult | AskedInput> {
    const { timeout = DEFAULT_TIMEOUT } = this.server;
    const options: RequestOptions = {
      signal,
      timeout,
      onprogress: progressTo(context),
      resetTimeoutOnProgress: true,
    };
    const elicited = new ElicitedInput(answers);
    try {
      const result = await session.withElicitation(elicited.answer, () => send(session, options, retry));
      return elicited.asked ?? (isInputRequired(result) ? readInputRequired(result) : result);
    } catch (error) {
      // A server may refuse a call whose question was cancelled.
      if (elicited.asked && refusalOf(error)) return elicited.asked;
      throw error;
    }
  }

  #answer(definition: ToolDefinition, { signal }: ToolContext, error: unknown): ToolResult | AskedInput {
    signal.throwIfAborted();
    const refusal = refusalOf(error);
    if (refusal) return readPagesRequired(refusal) ?? toRefusedResult(this.server, refusal);
    throw failed(definition, failureText(this.server, error));
  }
}

function failed(definition: ToolDefinition, text: string): ToolExecutionException {
  return new ToolExecutionException(definition, new Error(text));
}
