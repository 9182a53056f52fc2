import type { AssistantMessage, ToolResponse } from './messages.js';
import type { ToolApproval } from './tool-approval.js';

/** The calls of one message that are executed again, after humans have decided about some of them. */
export class TurnContinuation {
  readonly #approvals: ReadonlyMap<string, ToolApproval>;
  readonly #responses: ReadonlyMap<string, ToolResponse>;
  /** What has become of the calls since: undefined for one that has begun and not ended. */
  readonly #progress = new Map<string, ToolResponse | undefined>();

  /**
   * @param asked the message that asks for the calls
   * @param responses the responses that there are already
   */
  constructor(
    readonly asked: AssistantMessage,
    responses: readonly ToolResponse[],
    approvals: readonly ToolApproval[],
  ) {
    this.#approvals = new Map(approvals.map((approval) => [approval.toolCallId, approval]));
    this.#responses = new Map(responses.map((response) => [response.id, response]));
  }

  approvalOf(callId: string): ToolApproval | undefined {
    return this.#approvals.get(callId);
  }

  /** The response that a call had before the turn was suspended. */
  responseTo(callId: string): ToolResponse | undefined {
    return this.#responses.get(callId);
  }

  /** From here on nobody can say that the call has not run. */
  began(callId: string): void {
    this.#progress.set(callId, undefined);
  }

  /** @param response undefined for a call that waits on */
  ended(callId: string, response: ToolResponse | undefined): void {
    if (response) this.#progress.set(callId, response);
    else this.#progress.delete(callId);
  }

  /** Whether the call has begun since. */
  hasBegun(callId: string): boolean {
    return this.#progress.has(callId);
  }

  /** The response of a call that has begun since; undefined when the call has not ended. */
  newResponseTo(callId: string): ToolResponse | undefined {
    return this.#progress.get(callId);
  }
}
