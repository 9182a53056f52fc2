import type { CallApproval } from './call-approval.js';
import type { AssistantMessage, ToolResponse } from './messages.js';
import type { ToolApproval } from './tool-approval.js';

/** The calls of a message that run after humans have decided about some of them. */
export class TurnContinuation {
  readonly #approvals: ReadonlyMap<string, ToolApproval>;
  readonly #responses: ReadonlyMap<string, ToolResponse>;

  /**
   * @param asked the message that asks for the calls
   * @param responses the responses that already exist
   * @param uncertain the ids of calls that may have run, but whose responses are lost
   * @param callApprovals details about the approvals for tools and their observers
   */
  constructor(
    readonly asked: AssistantMessage,
    responses: readonly ToolResponse[],
    approvals: readonly ToolApproval[],
    private readonly uncertain: readonly string[] = [],
    private readonly callApprovals: ReadonlyMap<string, CallApproval> = new Map(),
  ) {
    this.#approvals = new Map(approvals.map((approval) => [approval.toolCallId, approval]));
    this.#responses = new Map(responses.map((response) => [response.id, response]));
  }

  approvalOf(callId: string): ToolApproval | undefined {
    return this.#approvals.get(callId);
  }

  callApprovalOf(callId: string): CallApproval | undefined {
    return this.callApprovals.get(callId);
  }

  /** The response that a call had before the turn was suspended. */
  responseTo(callId: string): ToolResponse | undefined {
    return this.#responses.get(callId);
  }

  /** Whether it is unknown if the call ran. */
  isUncertain(callId: string): boolean {
    return this.uncertain.includes(callId);
  }
}
