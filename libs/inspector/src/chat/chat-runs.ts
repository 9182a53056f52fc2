import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import {
  AssistantMessage,
  type ChatClient,
  type ChatClientEvent,
  type ChatClientRequestSpec,
  ChatMemory,
  errorTypeOf,
  LOOP_TOOL,
  type Message,
  type ToolApproval,
} from '@nestor-ai/core';
import { Observable } from 'rxjs';
import { HostApplication } from '../host-application.js';
import type { InspectedTurn } from '../recording/inspected-turn.js';
import { TurnRing } from '../recording/turn-ring.js';
import { ShownContent } from '../view/shown-content.js';
import { InspectedTurns } from '../view/inspected-turns.js';
import type { ChatBody, DecisionsBody, RetryBody } from './chat-requests.js';
import { confirmedFirst, withHistory, withResults } from './retried-turn.js';
import { TurnFinder } from './turn-finder.js';

/**
 * What the page receives while a turn runs. `changed`: the turn has a new step; the page reads it
 * again.
 */
export type ChatRunEvent =
  | { readonly type: 'turn'; readonly id: string }
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly round: number }
  | { readonly type: 'tool-input'; readonly id: string; readonly name: string; readonly delta: string }
  | { readonly type: 'changed' | 'end' }
  | { readonly type: 'error'; readonly text: string };

/** Runs the turns of the chat on the page. */
@Injectable()
export class ChatRuns {
  constructor(
    private readonly application: HostApplication,
    private readonly ring: TurnRing,
    private readonly turns: InspectedTurns,
    private readonly shown: ShownContent,
  ) {}

  /** Whether the application stores conversations, so that the page need not send them. */
  get remembers(): boolean {
    return this.application.properties.chat.memory.enabled;
  }

  /** Asks a question. Without a memory, the turn before gives the conversation. */
  async ask({ client, message, after, conversation }: ChatBody, user: unknown, caller: unknown) {
    const request = this.clientOf(client).prompt();
    if (this.remembers) request.conversation(this.#conversationOf(conversation, caller));
    else if (after !== undefined) request.messages(conversationUntil(await this.#own(after, user, caller)));
    return this.#run(request.user(message), caller);
  }

  /** Decides about the calls of a turn that wait, and continues it. */
  async decide(turnId: string, { decisions }: DecisionsBody, user: unknown, caller: unknown) {
    const turn = await this.turns.get(turnId, 'read', user);
    const held = await this.application.suspended.read(turnId, user);
    const client = this.clientOf(turn.client);
    const tokens = turn.response?.metadata.approvalTokens;
    const approvals = decisions.map(({ toolCallId, approved, reason, input, arguments: args }): ToolApproval => {
      const token = tokens?.[toolCallId];
      return {
        toolCallId,
        approved,
        ...(reason && { reason }),
        ...(input && { input }),
        ...(args !== undefined && { arguments: args }),
        ...(token !== undefined && { token }),
      };
    });
    const request = client.prompt().toolApprovals(approvals, { turnId });
    const tools = turn.modelCalls.at(-1)?.options.toolCallbacks;
    if (tools) request.tools(...tools);
    const conversationId = held.context[ChatMemory.CONVERSATION_ID];
    if (typeof conversationId === 'string') request.conversation(conversationId);
    return this.#run(request, caller);
  }

  /**
   * Runs a turn again from one of its model calls, as a turn of its own that is not added to any
   * conversation. Calls of tools that may change something need approval.
   */
  async retry(turnId: string, { modelCall, results = {} }: RetryBody, user: unknown, caller: unknown) {
    const turn = await this.#own(turnId, user, caller);
    const call = turn.modelCalls[modelCall];
    if (!call) throw new BadRequestException(`The turn has no model call ${modelCall}.`);
    const { toolCallbacks = [], toolContext } = call.options;
    const request = withHistory(this.clientOf(turn.client).prompt(), withResults(call.history, results));
    request.tools(...toolCallbacks.filter((tool) => !(LOOP_TOOL in tool)).map(confirmedFirst));
    if (toolContext) request.toolContext(toolContext);
    return this.#run(request, caller);
  }

  /** @throws NotFoundException if there is no such client */
  clientOf(name: string): ChatClient {
    const client = this.application.clients.get(name);
    if (client) return client;
    throw new NotFoundException(
      `There is no client '${name}' that the inspector can use. It has: ${this.application.clients.names.join(', ') || 'none'}.`,
    );
  }

  /** The content of a turn may only go into another turn of the same user. */
  async #own(turnId: string, user: unknown, caller: unknown): Promise<InspectedTurn> {
    const turn = await this.turns.get(turnId, 'read', user);
    if (turn.status === 'running') throw new ConflictException('The turn still runs.');
    if (!this.shown.isOn)
      throw new ConflictException(
        'The inspector shows no contents, so it cannot use them. Set ai.inspector.content=true.',
      );
    if (this.turns.isOwn(turn, caller)) return turn;
    throw new ConflictException(
      'This is the turn of another user. Use the option impersonate to continue it as that user.',
    );
  }

  /** The id contains the user, so that users only read their own conversations. */
  #conversationOf(id: string, caller: unknown): string {
    return `inspector:${this.application.principal.subjectOf(caller) ?? ''}:${id}`;
  }

  #run(request: ChatClientRequestSpec, caller: unknown): Observable<ChatRunEvent> {
    return new Observable((subscriber) => {
      let turnId: string | undefined;
      const finder = new TurnFinder((id) => {
        turnId = id;
        subscriber.next({ type: 'turn', id });
      });
      const release = this.ring.keepTurnsOf(caller);
      subscriber.add(release);
      const events = request.request(caller).advisors(finder).stream().events();
      return events.subscribe({
        next: (event) => {
          const told = this.#toEvent(event);
          if (told) subscriber.next(told);
        },
        error: (error: unknown) => {
          const text = error instanceof Error ? error.message : '';
          subscriber.next({ type: 'error', text: `${errorTypeOf(error)}: ${this.shown.text(text, 'error')}` });
          this.#end(subscriber, turnId);
        },
        complete: () => this.#end(subscriber, turnId),
      });
    });
  }

  /** The record of the turn ends after its last event. */
  #end(subscriber: { next(event: ChatRunEvent): void; complete(): void }, turnId: string | undefined): void {
    const settle = (): void => {
      subscriber.next({ type: 'end' });
      subscriber.complete();
    };
    if (turnId === undefined || this.ring.get(turnId)?.status !== 'running') return settle();
    setImmediate(settle);
  }

  #toEvent(event: ChatClientEvent): ChatRunEvent | undefined {
    const { shown } = this;
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return shown.isStreamed ? { type: event.type, text: event.text, round: event.round } : undefined;
      case 'tool-input-delta':
        return shown.isStreamed
          ? { type: 'tool-input', id: event.toolCall.id, name: event.toolCall.name, delta: event.delta }
          : undefined;
      case 'finish':
      case 'usage':
        return undefined;
      default:
        return { type: 'changed' };
    }
  }
}

function conversationUntil({ messages, response }: InspectedTurn): Message[] {
  const said = messages.filter(({ role }) => role !== 'system');
  const text = response?.text;
  return text ? [...said, new AssistantMessage(text)] : said;
}
