import { Logger } from '@nestjs/common';
import { ApprovalRequiredException, jsonPart, TurnControl } from '@nestor-ai/core/internal';
import { type ToolContext, ToolInputRequiredException, type ToolResult, type TurnPrincipal } from '@nestor-ai/core';
import { isJsonObject, messageOf, readSafely } from '@nestor-ai/schema';
import { type CallUpdate, MAX_TIME, type SentCall, type SentCaller } from '../wire/messages.js';
import { toToolResult } from '../wire/result-json.js';
import { toError, toRefusal } from './call-failure.js';
import { CallExchange } from './call-exchange.js';
import { RemoteCallException } from './remote-call.exception.js';
import type { RemoteServices } from './remote-services.js';
import { DEFAULT_TIMEOUT, type RemoteToolsModuleOptions } from './remote-tools.options.js';
import type { ServiceTool } from './service-directory.js';

/** What the service asked before, in the state of a question to the user. */
interface AskedBefore {
  readonly service: string;
  readonly questionId: string;
}

/** Sends calls to services, with the identity of the caller. */
export class RemoteCalls {
  private readonly logger = new Logger('RemoteToolsModule');

  constructor(
    private readonly services: RemoteServices,
    private readonly options: RemoteToolsModuleOptions,
    private readonly principal: TurnPrincipal | undefined,
  ) {}

  /** How long a call may take, in milliseconds. */
  timeoutOf({ announced }: ServiceTool): number {
    return Math.min(announced.timeout ?? this.options.timeout ?? DEFAULT_TIMEOUT, MAX_TIME);
  }

  /**
   * Runs a call. If the process that it was sent to certainly did not run it, another one gets it.
   *
   * @throws the error of the tool; RemoteCallException if its service does not answer
   * @throws ToolInputRequiredException if the service asks the user, or needs approval
   */
  async run(tool: ServiceTool, input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult> {
    const call = this.#toCall(tool, input, context);
    try {
      return this.#read(tool, await this.#exchange(tool, call, context));
    } catch (error) {
      if (!(error instanceof RemoteCallException) || error.mayHaveRun || context.signal.aborted) throw error;
      return this.#read(tool, await this.#exchange(tool, call, context));
    }
  }

  /** @throws RemoteCallException if the service does not answer */
  async #exchange(tool: ServiceTool, call: SentCall, context: ToolContext): Promise<CallUpdate> {
    const { service, announced } = tool;
    const { directory } = this.services;
    const instance = directory.pick(tool);
    if (!instance) {
      const text = `The service '${service}' is not running, so the call of '${announced.name}' did not run.`;
      throw new RemoteCallException(text, service, false);
    }
    try {
      return await new CallExchange(this.services, instance, announced.name).run(call, context);
    } catch (error) {
      // The next answer of the process brings it back.
      if (error instanceof RemoteCallException) directory.forget(instance.id);
      throw error;
    }
  }

  #toCall(tool: ServiceTool, input: Readonly<Record<string, unknown>>, context: ToolContext): SentCall {
    const { turn, toolCall, approval } = context;
    const asked = this.#askedBefore(tool, context);
    return {
      tool: tool.announced.name,
      arguments: input,
      callId: toolCall.id,
      turnId: turn.id,
      timeLeft: this.timeoutOf(tool),
      caller: this.#callerOf(context.request),
      hasReadUntrusted: !(turn instanceof TurnControl) || turn.scope.hasReadUntrusted,
      isApproved: approval !== undefined,
      ...(asked && { answer: { questionId: asked.questionId, input: context.input!.content } }),
    };
  }

  #askedBefore({ service }: ServiceTool, { input }: ToolContext): AskedBefore | undefined {
    const state = input?.state;
    return isJsonObject(state) && state['service'] === service ? (state as unknown as AskedBefore) : undefined;
  }

  #callerOf(request: unknown): SentCaller {
    const subject = this.principal?.subjectOf(request);
    const identity = this.options.identity?.(request);
    return {
      ...(subject !== undefined && { subject }),
      ...(identity !== undefined && { identity: jsonPart(identity) }),
    };
  }

  #read(tool: ServiceTool, update: CallUpdate): ToolResult {
    switch (update.type) {
      case 'result': {
        const result = readSafely(() => toToolResult(update));
        if (result && update.failure) throw toError(tool, update.text, update.failure);
        if (result) return result;
        break;
      }
      case 'question':
        throw new ToolInputRequiredException({
          ...update.request,
          state: { service: tool.service, questionId: update.questionId },
        });
      case 'approval':
        throw new ApprovalRequiredException();
      case 'refused': {
        const error = toRefusal(tool, update);
        if (update.problem === 'unverified' || update.problem === 'expired') {
          this.logger.error(messageOf(error.cause ?? error));
        }
        throw error;
      }
    }
    const text = `The service '${tool.service}' answered the call of '${tool.announced.name}' in a form that this application cannot read. The call may have run.`;
    throw new RemoteCallException(text, tool.service, true);
  }
}
