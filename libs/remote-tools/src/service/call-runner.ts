import { Logger } from '@nestjs/common';
import {
  AiShutdownException,
  errorTypeOf,
  type OutsideAnswer,
  type OutsideCall,
  ToolApprovalException,
  type ToolCallback,
  type ToolCaller,
  ToolRateLimitException,
  ToolTimeoutException,
} from '@nestor-ai/core';
import { classifyFailure, isA, statusOf } from '@nestor-ai/core/internal';
import type { CallUpdate, SentCall, SentFailure } from '../wire/messages.js';
import { toResultUpdate } from '../wire/result-json.js';
import { CallRefusal } from './call-refusal.js';
import { RemoteCaller } from './remote-caller.js';
import type { RemoteToolListing } from './remote-tool-listing.js';

/** What a call is run with. */
export interface CallSurroundings {
  readonly signal: AbortSignal;
  readonly onProgress: (value: unknown) => void;
}

/** Runs a verified call as a turn of this application. */
export class CallRunner {
  private readonly logger = new Logger('RemoteToolServiceModule');

  constructor(
    private readonly listing: RemoteToolListing,
    private readonly caller: ToolCaller,
  ) {}

  /** @throws CallRefusal if the call is not run */
  async run(sent: SentCall, { signal, onProgress }: CallSurroundings): Promise<CallUpdate> {
    const request = new RemoteCaller(sent);
    try {
      const tool = await this.#find(sent.tool, request, signal);
      const call: OutsideCall = {
        tool,
        arguments: sent.arguments,
        id: sent.callId,
        idempotencyKey: request.idempotencyKey,
        request,
        signal,
        onProgress,
        hasReadUntrusted: sent.hasReadUntrusted,
      };
      return this.#toUpdate(await this.#answer(call, sent), tool, sent);
    } catch (error) {
      throw this.#toRefusal(error, sent.tool);
    }
  }

  /** @throws CallRefusal if the caller has no such tool */
  async #find(name: string, request: RemoteCaller, signal: AbortSignal): Promise<ToolCallback> {
    const tool = this.listing.find(name);
    const [visible] = tool ? await this.caller.visible([tool], { request, signal }) : [];
    if (visible) return visible;
    throw new CallRefusal('unknown-tool', `The service has no tool '${name.slice(0, 100)}' for this caller.`);
  }

  async #answer(call: OutsideCall, { isApproved, answer: given }: SentCall): Promise<OutsideAnswer> {
    // Always with input, so that an answer never approves a call.
    const answer = given
      ? await this.caller.decide(given.questionId, { approved: true, input: given.input }, call)
      : await this.caller.call(call);
    if (!needsApproval(answer) || answer.approvalId === undefined) return answer;
    if (isApproved) return this.caller.decide(answer.approvalId, { approved: true }, call);
    // The approved call comes as a new one, from the approver.
    await this.caller.forget(answer.approvalId);
    return answer;
  }

  #toUpdate(
    answer: OutsideAnswer,
    { toolDefinition, toolMetadata }: ToolCallback,
    { isApproved }: SentCall,
  ): CallUpdate {
    if (answer.status === 'answered') {
      const { response, error } = answer;
      const update = toResultUpdate(response, toolDefinition.outputSchema !== undefined || toolMetadata.returnDirect);
      return error === undefined ? update : { ...update, failure: toFailure(error) };
    }
    const { approvalId, call } = answer;
    if (call.inputRequest && approvalId !== undefined) {
      return { type: 'question', questionId: approvalId, request: call.inputRequest };
    }
    if (!call.inputRequest && !isApproved) return { type: 'approval' };
    const what = call.inputRequest ? 'asks for input' : 'needs approval';
    throw new CallRefusal('not-approved', `The call of '${call.name}' ${what}, which its caller may not give.`);
  }

  #toRefusal(error: unknown, name: string): unknown {
    if (error instanceof CallRefusal) return error;
    if (isA(error, ToolTimeoutException)) {
      return new CallRefusal('deadline', `The tool '${name}' did not answer before the deadline of its caller.`);
    }
    if (isA(error, AiShutdownException)) return new CallRefusal('unavailable', 'The service is shutting down.');
    if (isA(error, ToolApprovalException)) return new CallRefusal('not-approved', error.message);
    this.logger.error(`The call of the tool '${name}' failed: ${errorTypeOf(error)}.`);
    return new CallRefusal('failed', `The tool '${name}' failed.`);
  }
}

type WaitingCall = Extract<OutsideAnswer, { status: 'waiting' }>;

function needsApproval(answer: OutsideAnswer): answer is WaitingCall {
  return answer.status === 'waiting' && answer.call.inputRequest === undefined;
}

function toFailure(error: unknown): SentFailure {
  const { outcome, cause } = classifyFailure(error);
  const status = statusOf(cause);
  return {
    outcome,
    ...(status !== undefined && { status }),
    ...(isA(cause, ToolRateLimitException) && { retryAfter: cause.retryAfter }),
  };
}
