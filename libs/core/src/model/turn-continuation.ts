import type { CallApproval } from './call-approval.js';
import type { AssistantMessage, ToolResponse } from './messages.js';
import type { PendingInput } from './pending-input.js';
import type { ToolApproval } from './tool-approval.js';

const NO_INPUTS: ReadonlyMap<string, PendingInput> = new Map();

/** The calls of a message that run after humans have decided about some of them. */
export class TurnContinuation {
  readonly #approvals: ReadonlyMap<string, ToolApproval>;
  readonly #responses: ReadonlyMap<string, ToolResponse>;

  /**
   * @param asked the message that asks for the calls
   * @param responses the responses that already exist
   * @param uncertain the ids of calls that may have run, but whose responses are lost
   * @param callApprovals details about the approvals for tools and their observers
   * @param inputs the calls that asked for input; those that the user answered have a `content`
   */
  constructor(
    readonly asked: AssistantMessage,
    responses: readonly ToolResponse[],
    approvals: readonly ToolApproval[],
    private readonly uncertain: readonly string[] = [],
    private readonly callApprovals: ReadonlyMap<string, CallApproval> = new Map(),
    private readonly inputs: ReadonlyMap<string, PendingInput> = NO_INPUTS,
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

  /** What a call has asked its user for. Its `content` is undefined if the user has not answered. */
  inputOf(callId: string): PendingInput | undefined {
    return this.inputs.get(callId);
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
