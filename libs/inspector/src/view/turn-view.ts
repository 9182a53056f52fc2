import { Inject, Injectable } from '@nestjs/common';
import { type ChatOptions, errorTypeOf, type Message, type Usage } from '@nestor-ai/core';
import { hasUntrusted } from '@nestor-ai/core/internal';
import { costOfTurn, type ModelCallRecord, type ToolCallRecord } from '@nestor-ai/testing';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from '../inspector.options.js';
import { HostApplication } from '../host-application.js';
import type { InspectedTurn, SurroundingCall } from '../recording/inspected-turn.js';
import { type CallView, callViewOf, type MessageView, messageViewOf } from './message-view.js';
import { type PendingCallView, pendingCallViewOf } from './pending-call-view.js';
import { ShownContent } from './shown-content.js';

/** A turn in the list. */
export interface TurnRow {
  readonly id: string;
  readonly client: string;
  readonly requester?: string;
  /** `stopped`: a user has stopped it. `lost`: it waited in a process that has ended. */
  readonly status: string;
  /** The turn that this one tries again. It is no part of its conversation. */
  readonly retryOf?: string;
  /** The tool call that it has begun inside of. */
  readonly within?: SurroundingCall;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly duration?: number;
  readonly question: string;
  readonly answer: string;
  readonly error?: string;
  readonly modelCalls: number;
  readonly toolCalls: readonly string[];
  /** Whether a tool has failed. A denied call has not run. */
  readonly hasToolErrors: boolean;
  /** The tool call that took longest, in milliseconds. */
  readonly slowest?: { readonly name: string; readonly duration: number };
  readonly usage?: Usage;
  readonly cost?: number;
}

/** A model call on the page. */
export interface ModelCallView {
  readonly provider?: string;
  readonly model?: string;
  readonly isStreamed: boolean;
  readonly begunAt: number;
  readonly duration?: number;
  /** How many messages are those of the call before. */
  readonly repeated: number;
  /** The other messages. */
  readonly messages: readonly MessageView[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly tools: readonly string[];
  readonly answer?: MessageView;
  readonly finishReason?: string;
  readonly usage?: Usage;
  readonly error?: string;
}

/** A tool call on the page. */
export interface ToolCallView extends CallView {
  readonly modelCall: number;
  readonly begunAt: number;
  readonly duration?: number;
  /** The arguments that ran, if they are others. */
  readonly ran?: string;
  readonly result?: string;
  readonly isError: boolean;
  readonly isDenied: boolean;
  readonly isApproved: boolean;
  readonly approver?: string;
  readonly effect: string;
  /** What the tool has thrown. */
  readonly error?: string;
  /** Where in the application it was thrown. */
  readonly thrownAt?: string;
  /** The tools that a search for tools has found, the best first. */
  readonly hits?: readonly SearchHit[];
}

/** A tool that a search for tools has found. */
export interface SearchHit {
  readonly name: string;
  /** From 0 to 1. Undefined if the index does not tell. */
  readonly score?: number;
}

/** What a user of the page can do with a turn. `edit`: change arguments, of calls that wait or in a retry. */
export type TurnAct = 'decide' | 'continue' | 'edit' | 'stop' | 'retry' | 'save';

/** A turn on the page. */
export interface TurnView extends TurnRow {
  readonly calls: readonly ModelCallView[];
  readonly tools: readonly ToolCallView[];
  readonly pending: readonly PendingCallView[];
  /** The model had read text from strangers before it asked for the calls that wait. */
  readonly hasReadUntrusted?: true;
  readonly can: readonly TurnAct[];
  /** The turns that have begun inside of its tool calls, the newest first. */
  readonly nested?: readonly TurnRow[];
}

/** The options that the page shows and changes: nothing that may contain anything. */
export const SETTINGS = [
  'model',
  'temperature',
  'topP',
  'topK',
  'maxTokens',
  'seed',
  'reasoning',
  'toolChoice',
] as const;

export function settingsOf(options: ChatOptions): Pick<ChatOptions, (typeof SETTINGS)[number]> {
  return Object.fromEntries(SETTINGS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));
}

/** The finish reason of turns that the page has stopped. */
export const STOPPED = 'stopped';

const ROW_TEXT = 200;
const FRAMES = 3;

/** Writes turns for the page. */
@Injectable()
export class TurnViews {
  constructor(
    private readonly application: HostApplication,
    private readonly shown: ShownContent,
    @Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions,
  ) {}

  row(turn: InspectedTurn): TurnRow {
    const { id, client, requester, retryOf, within, begunAt, duration, usage, error } = turn;
    const { prices } = this.options;
    return {
      id,
      client,
      ...(requester !== undefined && { requester }),
      status: statusOf(turn),
      ...(retryOf !== undefined && { retryOf }),
      ...(within && { within }),
      begunAt,
      ...(duration !== undefined && { duration }),
      question: cut(this.shown.text(questionOf(turn), 'prompt')),
      answer: cut(this.shown.text(turn.answer, 'completion')),
      ...(error !== undefined && { error: cut(this.#errorOf(error)) }),
      modelCalls: turn.modelCalls.length,
      toolCalls: turn.toolCalls.map(({ asked }) => asked.name),
      hasToolErrors: turn.toolCalls.some(({ isError, isDenied }) => isError && !isDenied),
      ...slowestOf(turn.toolCalls),
      ...(usage && { usage: withoutNative(usage) }),
      ...(prices && { cost: costOfTurn(turn, prices) }),
    };
  }

  turn(turn: InspectedTurn, can: readonly TurnAct[]): TurnView {
    return {
      ...this.row(turn),
      question: this.shown.text(questionOf(turn), 'prompt'),
      answer: this.shown.text(turn.answer, 'completion'),
      calls: turn.modelCalls.map((call, index) => this.#modelCall(call, turn.modelCalls[index - 1])),
      tools: turn.toolCalls.map((call) => this.#toolCall(call, turn)),
      pending: turn.pending.map((call) => pendingCallViewOf(call, this.#effectOf(call.name, turn), this.shown)),
      ...(turn.pending.length > 0 && hasUntrusted([turn.response!.result!.output]) && { hasReadUntrusted: true }),
      can,
    };
  }

  #modelCall(call: ModelCallRecord, before: ModelCallRecord | undefined): ModelCallView {
    const { provider, isStreamed, begunAt, duration, messages, options, response, error } = call;
    const repeated = before ? commonLength(before.messages, messages) : 0;
    const { model = options.model, usage } = response?.metadata ?? {};
    const result = response?.result;
    const offered = options.offeredToolNames ?? options.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name);
    return {
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      isStreamed,
      begunAt,
      ...(duration !== undefined && { duration }),
      repeated,
      messages: messages.slice(repeated).map((message) => messageViewOf(message, this.shown)),
      options: settingsOf(options),
      tools: offered ?? [],
      ...(result && { answer: messageViewOf(result.output, this.shown) }),
      ...(result?.metadata?.finishReason !== undefined && { finishReason: String(result.metadata.finishReason) }),
      ...(usage && { usage: withoutNative(usage) }),
      ...(error !== undefined && { error: this.#errorOf(error) }),
    };
  }

  #toolCall(call: ToolCallRecord, turn: InspectedTurn): ToolCallView {
    const { asked, ran, response, isError, isDenied, approval, error, duration } = call;
    const { name } = asked;
    const isChanged = ran !== undefined && ran.arguments !== asked.arguments;
    return {
      ...callViewOf(asked, this.shown),
      modelCall: call.modelCall,
      begunAt: call.begunAt,
      ...(duration !== undefined && { duration }),
      ...(isChanged && { ran: this.shown.text(ran.arguments, 'arguments', name) }),
      ...(response && { result: this.shown.text(response.responseData, isError ? 'error' : 'result', name) }),
      isError,
      isDenied,
      isApproved: approval !== undefined && !isDenied,
      ...(approval?.approver !== undefined && { approver: approval.approver }),
      effect: this.#effectOf(name, turn),
      ...(error !== undefined && { error: this.#errorOf(error, name), ...this.#thrownAt(error) }),
      ...hitsOf(response?.value),
    };
  }

  /** A request may have tools that the application does not know, and others for the names that it knows. */
  #effectOf(name: string, { modelCalls }: InspectedTurn): string {
    for (const { options } of modelCalls) {
      const tool = options.toolCallbacks?.find(({ toolDefinition }) => toolDefinition.name === name);
      if (tool) return tool.toolMetadata.effect ?? 'write';
    }
    return this.application.effectOf(name);
  }

  /** A stack repeats the message, which a redactor may have changed. */
  #thrownAt(error: unknown): { thrownAt?: string } {
    const lines = this.shown.isExact && error instanceof Error ? (error.stack?.split('\n') ?? []) : [];
    const own = lines.filter((line) => /^\s+at /.test(line) && !/node_modules|\(?node:/.test(line));
    return own.length > 0 ? { thrownAt: own.slice(0, FRAMES).join('\n') } : {};
  }

  /** The type is always shown. The text of a provider or a tool may contain anything. */
  #errorOf(error: unknown, toolName?: string): string {
    const text = error instanceof Error ? error.message : String(error);
    return `${errorTypeOf(error)}: ${this.shown.text(text, 'error', toolName)}`;
  }
}

/** A user has stopped it while it ran, if its answer says so. */
function statusOf({ status, response, isCancelled }: InspectedTurn): string {
  if (isCancelled && status === 'suspended') return 'stopped';
  return response?.result?.metadata?.finishReason === STOPPED ? 'stopped' : status;
}

function slowestOf(calls: readonly ToolCallRecord[]): { slowest?: { name: string; duration: number } } {
  const ended = calls.flatMap(({ asked, duration, isDenied }) =>
    duration === undefined || isDenied ? [] : [{ name: asked.name, duration }],
  );
  const [slowest] = ended.sort((a, b) => b.duration - a.duration);
  return slowest ? { slowest } : {};
}

/** The hits in the result of the tool search. */
function hitsOf(value: unknown): { hits?: readonly SearchHit[] } {
  if (!Array.isArray(value) || value.length === 0) return {};
  const hits = value.flatMap((hit: { toolName?: unknown; relevanceScore?: unknown } | null): SearchHit[] => {
    if (typeof hit?.toolName !== 'string') return [];
    const { toolName: name, relevanceScore: score } = hit;
    return [{ name, ...(typeof score === 'number' && { score }) }];
  });
  return hits.length === value.length ? { hits } : {};
}

/** The last text of the user before the turn. */
function questionOf({ modelCalls, messages }: InspectedTurn): string {
  const asked = modelCalls[0]?.messages ?? messages;
  return asked.findLast(({ role }) => role === 'user')?.text ?? '';
}

function commonLength(before: readonly Message[], now: readonly Message[]): number {
  let at = 0;
  while (at < before.length && isSame(before[at]!, now[at])) at++;
  return at;
}

/** A turn that goes on after an approval has read its messages from the store. */
function isSame(one: Message, other: Message | undefined): boolean {
  return one === other || (one.role === other?.role && JSON.stringify(one) === JSON.stringify(other));
}

function withoutNative({ native: _native, ...usage }: Usage): Usage {
  return usage;
}

/** The row of a turn whose views are all that is left of it. */
export function rowOf({
  calls: _calls,
  tools: _tools,
  pending: _pending,
  can: _can,
  nested: _nested,
  ...row
}: TurnView): TurnRow {
  return { ...row, question: cut(row.question), answer: cut(row.answer) };
}

/** The beginning of a text, for a list. */
export function cut(text: string): string {
  return text.length > ROW_TEXT ? `${text.slice(0, ROW_TEXT)}…` : text;
}
