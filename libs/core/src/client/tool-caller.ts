import { APPROVAL_RULES, ApprovalPolicy, type ApprovalRules } from '../advisor/approvals/approval-policy.js';
import { readApprovalId, toApprovalId } from '../advisor/approvals/approval-id.js';
import { authorize } from '../advisor/approvals/turn-authorization.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import type { ToolCallingAdvisorOptions } from '../advisor/tool-calling-advisor.options.js';
import { areSameArguments } from '../execution/approvals.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import { endTurn, type SuspendedTurn, type SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { Awaitable } from '../model/awaitable.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { remembered } from '../model/remembered.js';
import { RequestScope } from '../model/request-scope.js';
import { RequestServices } from '../model/request-services.js';
import { withScope } from '../model/scoped-options.js';
import { stableJson } from '@nestor-ai/schema';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { RECORDS_TURNS, type TurnControl } from '../model/turn-control.js';
import { beginObservation } from '../observability/begin-observation.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import { DerivedToolRecord } from '../tool/derived-tool-record.js';
import { recordOf } from '../tool/record-of.js';
import { RecordToolCallback } from '../tool/record-tool-callback.js';
import type { ToolFilter } from '../tool/tool-visibility.js';
import { CallingChain } from './calling-chain.js';
import { type ToolViewer, VisibleTools } from './visible-tools.js';
import { OBSERVATION } from '../observability/request-observation.js';
import { PRINCIPAL } from '../model/turn-principal.js';
import { JOB_QUEUE } from '../execution/job-queue.js';

/** Who calls a tool, and with which data. */
export interface OutsideCaller {
  /** What guards and `REQUEST`-scoped tools see, such as an HTTP request. */
  readonly request?: unknown;
  readonly toolContext?: Readonly<Record<string, unknown>>;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** A call of one tool. */
export interface OutsideCall extends OutsideCaller {
  readonly tool: ToolCallback;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The id of the call, such as that of the turn that asked for it elsewhere. Default: random. */
  readonly id?: string;
  /** What tools see as `context.idempotencyKey`: the same for each try of a call. Default: random. */
  readonly idempotencyKey?: string;
  /**
   * Whether the caller may have read untrusted content. Set it to false only if you know it, for
   * example from a signed message. Default: true.
   */
  readonly hasReadUntrusted?: boolean;
  /** Receives what the tool reports with `context.reportProgress()`. */
  readonly onProgress?: (value: unknown) => void;
}

/** A human decision about a call that waits. */
export type OutsideDecision = Omit<ToolApproval, 'toolCallId' | 'token' | 'arguments' | 'replay'>;

/** The answer to a call. */
export type OutsideAnswer =
  | {
      readonly status: 'answered';
      readonly response: ToolResponse;
      /** What was thrown, if the response is an error. Not for the caller to see. */
      readonly error?: unknown;
    }
  | {
      /** The call needs a human decision and has not run, or it asks its user for input. */
      readonly status: 'waiting';
      /** The call. If the tool asks for input, it has the question as `inputRequest`. */
      readonly call: ToolCall;
      /**
       * Identifies the call for `decide()`. Signed if the application has `ApprovalTokens`.
       * Undefined if the `ApprovalPolicy` does not let this caller decide; then the call is
       * forgotten.
       */
      readonly approvalId: string | undefined;
    };

/** What a {@link ToolCaller} works with. In a Nest application, `ToolCallers` fills it in. */
export interface ToolCallerOptions {
  readonly services: RequestServices;
  /** The options of the tool loop, such as the manager and the repository of waiting turns. */
  readonly loop?: ToolCallingAdvisorOptions;
  readonly toolFilter?: ToolFilter | undefined;
  readonly observability?: ObservabilityOptions | undefined;
  /** Throws if no call may run now. */
  readonly ensureReady?: () => void;
}

/**
 * Calls tools for a caller that is not a model of this application, such as an MCP client. Each
 * call is a turn of its own: visibility, guards, validation, approval, limits, policies, audit,
 * events and telemetry apply as in a turn with a model.
 *
 * What made the caller ask is usually not known. Then calls count as written by a model that has
 * read untrusted content: tools with irreversible effects need approval (see
 * `ai.tools.untrusted.then`).
 */
export class ToolCaller {
  readonly #loop: ToolCallingAdvisor;
  /** A call from outside is no turn that a worker could continue. */
  readonly #services: RequestServices;
  readonly #visible: VisibleTools;
  readonly #repository: SuspendedTurnRepository;
  /** The tools as they are called, made once: much is compiled for each. */
  readonly #called = remembered(
    (tool: ToolCallback) => new RecordToolCallback(new DerivedToolRecord(recordOf(tool), { returnDirect: true })),
  );

  constructor(private readonly options: ToolCallerOptions) {
    this.#services = new RequestServices(options.services.clientName, options.services)
      .set(RECORDS_TURNS, false)
      .set(JOB_QUEUE, undefined);
    this.#visible = new VisibleTools(options.toolFilter);
    this.#repository = options.loop?.suspendedTurnRepository ?? new InMemorySuspendedTurnRepository();
    const { toolExecutionEligibilityChecker: _checker, ...loop } = options.loop ?? {};
    this.#loop = new ToolCallingAdvisor({ ...loop, suspendedTurnRepository: this.#repository });
  }

  /** Those of the tools that the caller may see: the same list if they are all. */
  visible(callbacks: readonly ToolCallback[], caller: OutsideCaller): Awaitable<readonly ToolCallback[]> {
    return this.#visible.of(callbacks, caller, toViewer);
  }

  /**
   * Calls a tool. Failures of the tool are answers with `isError`. Check with {@link visible} first
   * that the caller may use the tool.
   *
   * @throws the reason of the abort, and the errors that the application rethrows
   */
  call(call: OutsideCall): Promise<OutsideAnswer> {
    const { id = crypto.randomUUID() } = call;
    return this.#run(call, { id, name: call.tool.toolDefinition.name, arguments: stableJson(call.arguments) }, {});
  }

  /**
   * Decides about a call that waits, and runs it if it is approved. Works once.
   *
   * @param call the same call as before: the same tool and arguments
   * @throws ToolApprovalException if no such call waits, it is another call, or the `ApprovalPolicy`
   *   does not allow it
   */
  async decide(approvalId: string, decision: OutsideDecision, call: OutsideCall): Promise<OutsideAnswer> {
    const held = await this.#find(approvalId);
    const pending = held?.pending[0];
    const isSame =
      pending?.name === call.tool.toolDefinition.name &&
      areSameArguments(pending.arguments, stableJson(call.arguments));
    if (!held || !isSame) throw notWaiting(call);
    const token = this.#rules.tokens && { token: approvalId };
    return this.#run(call, pending, {
      toolApprovals: [{ ...decision, toolCallId: pending.id, ...token }],
      suspendedTurnId: held.id,
    });
  }

  /** Forgets a call that waits. Does nothing if it waits no longer. */
  async forget(approvalId: string): Promise<void> {
    const held = await this.#find(approvalId);
    if (held) await endTurn(this.#repository, held);
  }

  async #run(call: OutsideCall, toolCall: ToolCall, resumption: ChatOptions): Promise<OutsideAnswer> {
    const { observability, ensureReady } = this.options;
    ensureReady?.();
    const scope = new RequestScope<TurnControl>(call.request, undefined, this.#services);
    if (call.idempotencyKey !== undefined) scope.idempotencyKey = call.idempotencyKey;
    if (call.hasReadUntrusted !== false) scope.readUntrusted();
    const observation = beginObservation(observability);
    if (observation) scope.set(OBSERVATION, observation);
    const { onProgress } = call;
    let ended: { readonly response: ToolResponse; readonly error: unknown } | undefined;
    scope.onTurn((turn) =>
      turn.observe({
        ...(onProgress && { toolProgress: (_run, value) => onProgress(value) }),
        toolAnswered: (_run, { response, error }) => {
          ended = { response, error };
        },
        // Of a manager or a tool of the application.
        emitted: (event) => {
          if (event.type === 'tool-progress') onProgress?.(event.value);
          else if (event.type !== 'tool-call') ended = { response: event.response, error: undefined };
        },
      }),
    );
    const options: ChatOptions = {
      toolCallbacks: [this.#returningDirectly(call.tool)],
      ...(call.toolContext && { toolContext: call.toolContext }),
      ...(call.signal && { signal: call.signal }),
      ...resumption,
    };
    const prompt = Prompt.of([], withScope(options, scope));
    const { chatResponse } = await this.#loop.adviseCall({ prompt, context: {} }, new CallingChain(toolCall));
    if (ended) {
      const { response, error } = ended;
      return { status: 'answered', response, ...(error !== undefined && { error }) };
    }
    return this.#waiting(chatResponse?.metadata.turnId as string, toolCall, call);
  }

  async #waiting(turnId: string, asked: ToolCall, { request }: OutsideCall): Promise<OutsideAnswer> {
    const turn = await this.#repository.findById(turnId);
    if (!turn) {
      throw new Error(
        `The call of '${asked.name}' has no answer, and does not wait. A ToolCallingManager must answer calls as DefaultToolCallingManager ` +
          'does, or emit a tool-result.',
      );
    }
    const [call = asked] = turn.pending;
    const { policy, tokens } = this.#rules;
    const caller = this.options.services.get(PRINCIPAL)?.subjectOf(request);
    const approvals = [{ toolCallId: call.id, approved: true }];
    const isSigned = tokens !== undefined;
    const action = call.inputRequest ? 'answer' : 'approve';
    try {
      await authorize(policy, { action, turn, caller, request, approvals, isSigned });
    } catch (error) {
      await endTurn(this.#repository, turn);
      if (!(error instanceof ToolApprovalException)) throw error;
      return { status: 'waiting', call, approvalId: undefined };
    }
    return { status: 'waiting', call, approvalId: tokens?.sign(turnId, call) ?? toApprovalId(turnId, call.id) };
  }

  async #find(approvalId: string): Promise<SuspendedTurn | undefined> {
    const id = readApprovalId(approvalId);
    const held = id && (await this.#repository.findById(id.turnId));
    const isOurs = held?.client === this.options.services.clientName && held?.pending[0]?.id === id?.toolCallId;
    return isOurs ? held : undefined;
  }

  /** Results go to the caller, not to a model: they are not shortened, and keep their value. */
  #returningDirectly(tool: ToolCallback): ToolCallback {
    return tool.toolMetadata.returnDirect ? tool : this.#called(tool);
  }

  get #rules(): ApprovalRules {
    return this.options.services.get(APPROVAL_RULES) ?? { policy: new ApprovalPolicy(), tokens: undefined };
  }
}

function toViewer({ request, toolContext, signal }: OutsideCaller): ToolViewer {
  return { request, toolContext, signal };
}

function notWaiting({ tool }: OutsideCall): ToolApprovalException {
  return new ToolApprovalException(
    `No call of '${tool.toolDefinition.name}' with these arguments waits for approval. It was already decided, it has ` +
      'expired, or the arguments are others. Make the call again.',
    'not-found',
  );
}
