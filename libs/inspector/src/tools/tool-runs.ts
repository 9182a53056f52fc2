import { ForbiddenException, Injectable } from '@nestjs/common';
import { errorTypeOf, type OutsideAnswer, type ToolCallback, type ToolCaller } from '@nestor-ai/core';
import type { ToolRunBody } from '../chat/chat-requests.js';
import { HostApplication } from '../host-application.js';
import { type PendingCallView, pendingCallViewOf } from '../view/pending-call-view.js';
import { ShownContent } from '../view/shown-content.js';
import { ToolViews } from './tool-views.js';

/** The result of a tool that the page has run. */
export type ToolRunView =
  | {
      readonly status: 'answered';
      readonly result: string;
      readonly isError: boolean;
      readonly error?: string;
      /** In milliseconds. */
      readonly duration: number;
    }
  | { readonly status: 'waiting'; readonly approvalId: string; readonly call: PendingCallView };

/** The name of the inspector as a caller of tools. */
export const INSPECTOR_CALLER = 'inspector';

/** Runs single tools, through the pipeline of a model's calls. */
@Injectable()
export class ToolRuns {
  readonly #caller: ToolCaller;

  constructor(
    { callers }: HostApplication,
    private readonly tools: ToolViews,
    private readonly shown: ShownContent,
  ) {
    this.#caller = callers.of(INSPECTOR_CALLER);
  }

  /** @throws ForbiddenException if the caller may not see the tool */
  async run(body: ToolRunBody, user: unknown, caller: unknown): Promise<ToolRunView> {
    const tool = await this.tools.callbackOf(body.tool, user);
    const visible = await this.#caller.visible([tool], { request: caller });
    if (visible.length === 0) throw new ForbiddenException('This user may not see the tool, so it cannot be run.');
    const begun = performance.now();
    // The arguments come from the page, and not from a model.
    const call = { tool, arguments: body.arguments, request: caller, hasReadUntrusted: false };
    const { approvalId, approved = true, input } = body;
    const answer =
      approvalId === undefined
        ? await this.#caller.call(call)
        : await this.#caller.decide(approvalId, { approved, ...(input && { input }) }, call);
    return this.#view(answer, tool, performance.now() - begun);
  }

  #view(answer: OutsideAnswer, { toolDefinition, toolMetadata }: ToolCallback, duration: number): ToolRunView {
    const { name } = toolDefinition;
    const { effect = 'write' } = toolMetadata;
    if (answer.status === 'waiting') {
      const { call, approvalId } = answer;
      if (approvalId === undefined)
        throw new ForbiddenException(
          'The call needs approval, and the ApprovalPolicy does not let this user approve it.',
        );
      return { status: 'waiting', approvalId, call: pendingCallViewOf(call, effect, this.shown) };
    }
    const { response, error } = answer;
    const { responseData, isError = false } = response;
    const text = error instanceof Error ? error.message : String(error);
    return {
      status: 'answered',
      result: this.shown.text(responseData, isError ? 'error' : 'result', name),
      isError,
      ...(error !== undefined && { error: `${errorTypeOf(error)}: ${this.shown.text(text, 'error', name)}` }),
      duration,
    };
  }
}
