import type { CallApproval } from '../model/call-approval.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { PendingInput, PendingInputs } from '../model/pending-input.js';
import type { MessageJson } from './message-json.js';
import type { StoredDecisions, SuspendedTurn, TurnData, TurnStatus } from './suspended-turn.repository.js';
import type { CallBeganEntry, ResultDeliveredEntry, TurnEntry } from './turn-entry.js';

/** The data of a turn in which nothing has happened. */
export const BLANK_TURN: Omit<TurnData, 'id'> = {
  suspendedAt: new Date(0).toISOString(),
  messages: [],
  response: { metadata: {} },
  pending: [],
  options: {},
  context: {},
  round: 0,
  usageByRound: [],
  toolCallCounts: {},
  phase: 'asking',
};

/** The state of a turn, which its entries change one after the other. */
export class TurnState {
  #record: TurnData;
  #status: TurnStatus;
  /** The messages without the responses to the last one. */
  #messages: readonly MessageJson[];
  readonly #responses = new Map<string, ToolResponse>();
  /** The calls that wait for a decision. */
  readonly #waiting = new Map<string, ToolCall>();
  /** The calls that have started and not ended. */
  readonly #open = new Map<string, Pick<CallBeganEntry, 'call' | 'approval' | 'input'>>();
  #inputs: PendingInputs | undefined;
  #unknownEntry: string | undefined;

  /** @param held the turn as it was stored */
  constructor(held: SuspendedTurn) {
    const { claim: _claim, revision: _revision, status, begun, approvals, inputs, messages, ...record } = held;
    this.#record = { ...record, messages };
    this.#status = status ?? (held.phase ? 'running' : 'suspended');
    this.#inputs = inputs;
    this.#messages = held.phase ? messages : messages.slice(0, -1);
    if (held.phase) return;
    for (const response of messages.at(-1)!.responses as readonly ToolResponse[])
      this.#responses.set(response.id, response);
    for (const call of held.pending) {
      this.#waiting.set(call.id, call);
      // They stay uncertain until they have run again, or have an answer.
      if (begun?.includes(call.id)) this.#open.set(call.id, { call, ...approvalOf(approvals, call.id) });
    }
  }

  get status(): TurnStatus {
    return this.#status;
  }

  /** For what no entry says: that a request goes on with a failed turn, or that a turn was stopped. */
  set status(status: TurnStatus) {
    this.#status = status;
  }

  /**
   * The kind of the first entry that this version does not know. The state is the one before it: it
   * may be shown, but the turn must not go on from it.
   */
  get unknownEntry(): string | undefined {
    return this.#unknownEntry;
  }

  /** The current data, to store them. */
  get record(): TurnData {
    const { decisions, phase, ...record } = this.#record;
    const pending = this.pending;
    const inputs = pending.flatMap(({ id }) => {
      const input = this.inputOf(id);
      return input ? [[id, input] as const] : [];
    });
    const open = [...this.#open.entries()];
    const approvals = open.flatMap(([id, { approval }]) => (approval ? [[id, approval] as const] : []));
    return {
      ...record,
      messages: this.messages,
      pending,
      ...(phase && { phase }),
      ...(decisions && { decisions }),
      ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs) }),
      ...(open.length > 0 && { begun: open.map(([id]) => id), approvals: Object.fromEntries(approvals) }),
    };
  }

  /** The messages with the responses to the last one, if it asks for calls. */
  get messages(): readonly MessageJson[] {
    if (this.#record.phase) return this.#messages;
    const asked = this.#askedAsRun();
    const responses = callsOf(asked).flatMap(({ id }) => this.#responses.get(id) ?? []);
    return [...this.#messages.slice(0, -1), asked, { role: 'tool', responses }];
  }

  /** The calls that wait, or may have run. */
  get pending(): readonly ToolCall[] {
    if (this.#record.phase) return [];
    return callsOf(this.#askedAsRun()).flatMap((call) => {
      const { id } = call;
      if (this.#responses.has(id) || !(this.#open.has(id) || this.#waiting.has(id))) return [];
      // The message does not have what the call asks for.
      const { inputRequest, deferred } = this.#waiting.get(id) ?? {};
      return { ...call, ...(inputRequest && { inputRequest }), ...(deferred && { deferred }) };
    });
  }

  isOpen(callId: string): boolean {
    return this.#open.has(callId);
  }

  responseTo(callId: string): ToolResponse | undefined {
    return this.#responses.get(callId);
  }

  /** The queue whose workers run the next call. Undefined if no call waits for a worker. */
  get queue(): string | undefined {
    for (const { id } of this.pending) {
      const { queue, delivered } = this.inputOf(id) ?? {};
      if (queue !== undefined && !delivered) return queue;
    }
    return undefined;
  }

  /** Whether a decision about a call was stored. */
  isDecided(callId: string): boolean {
    const { decisions = [] } = this.#record;
    return decisions.some((one) => one.decisions.some(({ toolCallId }) => toolCallId === callId));
  }

  /** A call that has started keeps the user's input. One that has not must ask again. */
  inputOf(callId: string): PendingInput | undefined {
    const { input } = this.#open.get(callId) ?? {};
    return input ?? (this.#inputs && Object.hasOwn(this.#inputs, callId) ? this.#inputs[callId] : undefined);
  }

  /** The number of calls per tool. */
  get toolCallCounts(): Readonly<Record<string, number>> {
    return this.#record.toolCallCounts;
  }

  /** Sets when the turn began to wait, which entries do not have. In ISO 8601. */
  waitsSince(suspendedAt: string): void {
    this.#set({ suspendedAt });
  }

  apply(entry: TurnEntry): void {
    if (this.#unknownEntry !== undefined) return;
    const { toolCallCounts } = entry;
    if (toolCallCounts) this.#set({ toolCallCounts });
    switch (entry.kind) {
      case 'queued':
        this.#status = 'queued';
        break;
      case 'begun':
        this.#begin(entry.messages);
        this.#set({ options: entry.options, context: entry.context, phase: 'asking' });
        break;
      case 'claimed':
        break;
      case 'answered':
        this.#begin([...this.messages.slice(0, entry.from), ...entry.messages]);
        this.#set({ response: entry.response, round: entry.round, usageByRound: entry.usageByRound });
        if (entry.options) this.#set({ options: entry.options });
        this.#set({ phase: entry.isFinal ? 'answered' : undefined });
        break;
      case 'call-began':
        this.#status = 'running';
        this.#open.set(entry.call.id, entry);
        this.#startJob(entry.call.id);
        break;
      case 'call-withdrawn':
        this.#open.delete(entry.callId);
        break;
      case 'call-ended':
        this.#messages = [...this.#messages.slice(0, -1), this.#askedAsRun()];
        this.#responses.set(entry.response.id, entry.response);
        this.#open.delete(entry.response.id);
        break;
      case 'suspended':
        this.#messages = [...this.#messages.slice(0, entry.from), ...entry.messages];
        this.#waiting.clear();
        for (const call of entry.pending) {
          this.#waiting.set(call.id, call);
          if (call.deferred) this.#open.delete(call.id);
        }
        this.#inputs = entry.inputs;
        this.#set({ context: entry.context, decisions: undefined });
        if (entry.options) this.#set({ options: entry.options });
        this.#status = this.queue === undefined ? 'suspended' : 'queued';
        break;
      case 'approved':
        this.#set({ decisions: [...(this.#record.decisions ?? []), toDecisions(entry)] });
        this.#status = 'running';
        break;
      case 'delivered':
        this.#deliver(entry);
        break;
      case 'failed':
        this.#status = 'failed';
        break;
      case 'ended':
        this.#status = 'ended';
        break;
      default:
        this.#unknownEntry ??= (entry satisfies never as TurnEntry).kind;
    }
  }

  #begin(messages: readonly MessageJson[]): void {
    this.#messages = messages;
    this.#responses.clear();
    this.#waiting.clear();
    this.#open.clear();
    this.#inputs = undefined;
    this.#set({ decisions: undefined });
    this.#status = 'running';
  }

  /** A call that waited for a worker has one now. If that dies, the call may have run. */
  #startJob(callId: string): void {
    const { deferred, ...call } = this.#waiting.get(callId) ?? {};
    if (!deferred) return;
    this.#waiting.set(callId, call as ToolCall);
    this.#inputs = Object.fromEntries(Object.entries(this.#inputs ?? {}).filter(([id]) => id !== callId));
  }

  /** The turn continues when a call can run, or no call waits any more. */
  #deliver({ callId, delivered }: ResultDeliveredEntry): void {
    const input = this.inputOf(callId);
    if (!input) return;
    this.#inputs = Object.fromEntries([...Object.entries(this.#inputs ?? {}), [callId, { ...input, delivered }]]);
    const { pending } = this;
    const isReady =
      pending.some(({ id }) => this.isDecided(id)) || pending.every(({ id }) => this.inputOf(id)?.delivered);
    this.#status = this.queue !== undefined ? 'queued' : isReady ? 'running' : 'suspended';
  }

  #set(changes: Partial<{ [Key in keyof TurnData]: TurnData[Key] | undefined }>): void {
    this.#record = { ...this.#record, ...changes } as TurnData;
  }

  /** The message with the approved arguments, which its calls ran with. */
  #askedAsRun(): MessageJson {
    const asked = this.#messages.at(-1)!;
    if (this.#open.size === 0) return asked;
    return { ...asked, toolCalls: callsOf(asked).map((call) => this.#open.get(call.id)?.call ?? call) };
  }
}

function callsOf({ toolCalls }: MessageJson): readonly ToolCall[] {
  return (toolCalls ?? []) as readonly ToolCall[];
}

function toDecisions({ decisions, approver }: StoredDecisions): StoredDecisions {
  return { decisions, ...(approver !== undefined && { approver }) };
}

function approvalOf(
  approvals: Readonly<Record<string, CallApproval>> | undefined,
  callId: string,
): { readonly approval?: CallApproval } {
  return approvals && Object.hasOwn(approvals, callId) ? { approval: approvals[callId]! } : {};
}
