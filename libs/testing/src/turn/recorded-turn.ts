import type { Observer } from 'rxjs';
import {
  addUsage,
  type AskedModel,
  type ChatResponse,
  type Message,
  type ToolCall,
  type ToolCallEnd,
  type ToolCallRun,
  type Turn,
  type TurnOutcome,
  type TurnObserver,
  type Usage,
} from '@nestor-ai/core';
import { readSafely } from '@nestor-ai/schema';
import { type ModelCallRecord, RecordedModelCall, RecordedToolCall, type ToolCallRecord } from './recorded-calls.js';
import { keptOptions } from './recorded-options.js';

/**
 * What happened in a turn: what the models were asked and answered, and the tool calls. It keeps
 * nothing of the caller's request, and of the tool context only texts, numbers and booleans.
 */
export class RecordedTurn implements TurnObserver {
  readonly id: string;
  /** The subject that asked, if known. */
  readonly requester: string | undefined;
  /** When it began: milliseconds since 1970. */
  readonly begunAt: number = Date.now();
  readonly modelCalls: ModelCallRecord[] = [];
  readonly toolCalls: ToolCallRecord[] = [];
  #outcome: TurnOutcome | undefined;
  #duration: number | undefined;
  #begun = performance.now();
  readonly #running = new WeakMap<ToolCallRun, RecordedToolCall>();

  /** @param client the name of the client that runs the turn */
  constructor(
    turn: Turn,
    readonly client: string,
  ) {
    this.id = turn.id;
    this.requester = requesterOf(turn);
  }

  /** `suspended`: it waits for a human. */
  get status(): 'running' | TurnOutcome['status'] {
    return this.#outcome?.status ?? 'running';
  }

  /** In milliseconds, without the time that it was suspended. Undefined while it runs. */
  get duration(): number | undefined {
    return this.#duration;
  }

  /** The answer, or the response that asks for approvals. Undefined if the turn failed. */
  get response(): ChatResponse | undefined {
    return this.#outcome && 'response' in this.#outcome ? this.#outcome.response : undefined;
  }

  /** The text of the answer; empty if there is none. */
  get answer(): string {
    return this.response?.text ?? '';
  }

  /** Why the turn failed. */
  get error(): unknown {
    return this.#outcome?.status === 'failed' ? this.#outcome.error : undefined;
  }

  /** The messages of the turn, without the answer. */
  get messages(): readonly Message[] {
    const outcome = this.#outcome;
    return outcome && 'messages' in outcome ? outcome.messages : (this.modelCalls.at(-1)?.history ?? []);
  }

  /** The calls that wait for a decision. */
  get pending(): readonly ToolCall[] {
    return this.status === 'suspended' ? (this.response?.pendingApprovals ?? []) : [];
  }

  /** The tokens of all model calls. Undefined if the provider does not report them. */
  get usage(): Usage | undefined {
    return this.modelCalls.reduce<Usage | undefined>(
      (sum, { response }) => addUsage(sum, response?.metadata.usage),
      undefined,
    );
  }

  /** The turn continues after it was suspended. */
  resume(): void {
    this.#outcome = undefined;
    this.#begun = performance.now() - (this.#duration ?? 0);
    this.#duration = undefined;
  }

  modelAsked({ prompt, history, isStreamed, chatModel }: AskedModel): Observer<ChatResponse> {
    const record: ModelCallRecord = {
      messages: prompt.messages,
      history,
      options: keptOptions(prompt.options ?? {}),
      isStreamed,
      provider: chatModel.provider,
      begunAt: performance.now() - this.#begun,
      duration: undefined,
      response: undefined,
      error: undefined,
    };
    this.modelCalls.push(record);
    return new RecordedModelCall(record, this.#begun);
  }

  toolCalled(run: ToolCallRun): void {
    const { toolCall } = run;
    let call = this.#waiting(toolCall.id);
    if (call) call.beginAgain(this.#begun);
    else this.toolCalls.push((call = new RecordedToolCall(toolCall, this.modelCalls.length - 1, this.#begun)));
    this.#running.set(run, call);
  }

  toolAnswered(run: ToolCallRun, answer: ToolCallEnd): void {
    this.#running.get(run)!.answered(answer);
  }

  turnEnded(outcome: TurnOutcome): void {
    this.#outcome = outcome;
    this.#duration = performance.now() - this.#begun;
  }

  /** The call of this id without an answer. A model may use an id again. */
  #waiting(id: string): RecordedToolCall | undefined {
    for (let at = this.toolCalls.length - 1; at >= 0; at--) {
      const call = this.toolCalls[at] as RecordedToolCall;
      if (call.asked.id === id && !call.response) return call;
    }
    return undefined;
  }
}

/** The `TurnPrincipal` of the application may throw. */
function requesterOf(turn: Turn): string | undefined {
  return readSafely(() => turn.requester);
}
