import type { Subscriber } from 'rxjs';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { RESUMED_MESSAGES } from '../advisor/suspension.js';
import type { ChatResponse, GenerationMetadata } from '../model/chat-response.js';
import { type AnyFinishReason, FinishReason } from '../model/finish-reason.js';
import { findTool } from '../model/find-tool.js';
import { ChatResponseAggregation } from '../model/message-aggregator.js';
import type { Message, ToolCall } from '../model/messages.js';
import { scopeOf } from '../model/scoped-options.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolUi } from '../model/tool-ui.js';
import { ToolEvents } from '../model/tool-events.js';
import type { TurnEvent } from '../model/turn-event.js';
import { isUntrusted } from '../model/untrusted.js';
import type { Usage } from '../model/usage.js';
import { uiOfTool } from '../tool/tool-ui.js';
import { BROWSER_VIEW, type BrowserView, browserViewOf } from './browser-view.js';
import { hasModelEvents, ModelEventMapper } from './model-event-mapper.js';
import type { ModelEvent } from './model-events.js';

/** An event while a request is answered. */
export type ChatClientEvent = TextEvent | ReasoningEvent | TurnEvent | ModelEvent | UsageEvent | FinishEvent;

/** A part of the answer's text. */
export interface TextEvent {
  readonly type: 'text';
  /** The text. */
  readonly text: string;
  /** The tool whose result is this text, if the tool returns its result directly. */
  readonly toolName?: string;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}

/** A part of the model's reasoning, if the provider returns it. */
export interface ReasoningEvent {
  readonly type: 'reasoning';
  /** The text. */
  readonly text: string;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}

/** The tokens used so far. */
export interface UsageEvent {
  readonly type: 'usage';
  /** The tokens of all rounds so far. */
  readonly usage: Usage;
  /** The tokens of each round. */
  readonly usageByRound?: readonly Usage[];
}

/** The end of the answer. */
export interface FinishEvent {
  readonly type: 'finish';
  /** Why the answer ended. See `FinishReason`. */
  readonly finishReason?: AnyFinishReason;
  /** The tool calls that wait for approval. */
  readonly pendingApprovals?: readonly ToolCall[];
  /** What to show of these calls in a browser, by call id, if their tools set it. */
  readonly pendingUi?: Readonly<Record<string, ToolUi>>;
  /** The turn of these calls. */
  readonly turnId?: string;
  /** The tokens to approve or deny each call, if the application signs approvals. */
  readonly approvalTokens?: Readonly<Record<string, string>>;
  /** Whether the model had read untrusted content before it answered. */
  readonly untrusted?: true;
}

/** Converts the chunks of one answer to events. */
export class EventMapper {
  #round = 0;
  #calls: ChatResponseAggregation | undefined;
  #finish: Omit<FinishEvent, 'type'> = {};
  readonly #announced = new Set<string>();
  /** The ids of the calls of the turn. Readers know those that this response has told itself. */
  #callIds: readonly string[] = [];
  #tools: readonly ToolCallback[] | undefined;
  /** The decisions of the request, until its first response. */
  #decisions: readonly ToolApproval[] | undefined;
  #view: BrowserView | undefined;
  #modelEvents: ModelEventMapper | undefined;
  /** What to show of tool calls in a browser, by call id, as set by the tools. */
  readonly #uis = new Map<string, ToolUi | undefined>();

  constructor(private readonly subscriber: Subscriber<ChatClientEvent>) {}

  /** Starts to follow a request. */
  follow({ prompt }: ChatClientRequest): void {
    const scope = scopeOf(prompt.options)!;
    scope.onTurn((turn) => {
      this.#callIds = turn.callIds;
      turn.observe(new ToolEvents(this.#told));
    });
    this.#tools = prompt.options?.toolCallbacks;
    this.#decisions = prompt.options?.toolApprovals;
    this.#view = browserViewOf(scope.services);
  }

  /** The events of tool calls, as reported by the loop. */
  readonly #told = (event: TurnEvent): void => {
    this.#announced.add(event.toolCall.id);
    if (event.type === 'tool-call') this.#uis.set(event.toolCall.id, event.ui);
    this.#tell(event);
  };

  next({ chatResponse, context }: ChatClientResponse): void {
    if (!chatResponse) return;
    if (this.#decisions) this.#tellAgain(this.#decisions, context[RESUMED_MESSAGES] as readonly Message[] | undefined);
    const { usage, usageByRound, round = this.#round } = chatResponse.metadata;
    if (round !== this.#round) {
      this.#calls = undefined;
      this.#announced.clear();
    }
    this.#round = round;
    for (const generation of chatResponse.results) {
      const { output, metadata } = generation;
      if (output.reasoning) this.subscriber.next({ type: 'reasoning', text: output.reasoning, round });
      if (hasModelEvents(generation)) {
        const earlier = this.#callIds.filter((id) => !this.#uis.has(id));
        (this.#modelEvents ??= new ModelEventMapper(this.#tools, this.#tell)).next(generation, round, earlier);
      }
      if (output.text) this.#tellText(output.text, round, metadata);
    }
    if (chatResponse.hasToolCalls()) (this.#calls ??= new ChatResponseAggregation()).add(chatResponse);
    if (usage) this.subscriber.next({ type: 'usage', usage, ...(usageByRound && { usageByRound }) });
    this.#noteEnd(chatResponse);
  }

  complete(): void {
    // Calls that the caller has to run. The end event contains those that wait for approval.
    const waiting = this.#finish.pendingApprovals?.map(({ id }) => id);
    for (const toolCall of this.#calls?.response?.result?.output.toolCalls ?? []) {
      if (this.#announced.has(toolCall.id) || waiting?.includes(toolCall.id)) continue;
      const tool = findTool(this.#tools, toolCall.name);
      const ui = tool && uiOfTool(tool);
      this.#tell({ type: 'tool-call', toolCall, ...(ui && { ui }) });
    }
    const uis = (this.#finish.pendingApprovals ?? []).flatMap((call) => {
      const ui = this.#uiOfPending(call);
      return ui ? [[call.id, ui] as const] : [];
    });
    this.#tell({ type: 'finish', ...this.#finish, ...(uis.length > 0 && { pendingUi: Object.fromEntries(uis) }) });
    this.subscriber.complete();
  }

  /** Tells the results of calls that have run before. A client that has missed them sends its decisions again. */
  #tellAgain(decisions: readonly ToolApproval[], messages: readonly Message[] = []): void {
    this.#decisions = undefined;
    const own = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
    const calls = own.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    for (const response of own.flatMap((message) => (message.role === 'tool' ? message.responses : []))) {
      const { id } = response;
      const toolCall = calls.find((call) => call.id === id);
      if (!toolCall || this.#announced.has(id) || !decisions.some(({ toolCallId }) => toolCallId === id)) continue;
      new ToolEvents(this.#tell).toolAnswered({ toolCall, ui: this.#uiOfPending(toolCall) }, { response });
    }
  }

  #tellText(text: string, round: number, metadata: GenerationMetadata | undefined): void {
    if (metadata?.finishReason !== FinishReason.RETURN_DIRECT)
      return this.subscriber.next({ type: 'text', text, round });
    this.#tell({ type: 'text', text, round, toolName: String(metadata['toolName']) });
  }

  /** The event is our own: a copy would parse the input of a tool. */
  readonly #tell = (event: ChatClientEvent): void => {
    const view = this.#view;
    this.subscriber.next(view ? Object.assign(event, { [BROWSER_VIEW]: view }) : event);
  };

  /**
   * In a resumed turn, calls that still wait are not reported again, since their tools may be
   * unknown to the request.
   */
  #uiOfPending({ id, name }: ToolCall): ToolUi | undefined {
    if (this.#uis.has(id)) return this.#uis.get(id);
    const tool = findTool(this.#tools, name);
    return tool ? uiOfTool(tool) : 'none';
  }

  #noteEnd({ result, metadata }: ChatResponse): void {
    const { turnId, approvalTokens } = metadata;
    const { finishReason, pendingApprovals } = result?.metadata ?? {};
    if (finishReason === undefined) return;
    this.#finish = {
      finishReason,
      ...(Array.isArray(pendingApprovals) && { pendingApprovals }),
      ...(typeof turnId === 'string' && { turnId }),
      ...(approvalTokens && { approvalTokens }),
      ...(isUntrusted(result!.output) && { untrusted: true }),
    };
  }
}
