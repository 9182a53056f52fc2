import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import {
  type ChatClient,
  type ChatClientEvent,
  type ChatClientRequestSpec,
  ChatMemory,
  DEFAULT_CHAT_CLIENT,
  errorTypeOf,
  LOOP_TOOL,
  type Message,
  type ToolApproval,
  ToolApprovalException,
  type ToolCall,
  type ToolCallback,
  TurnStop,
} from '@nestor-ai/core';
import { recordOf, toText } from '@nestor-ai/core/internal';
import { Observable } from 'rxjs';
import { HostApplication } from '../host-application.js';
import type { InspectedTurn } from '../recording/inspected-turn.js';
import { TurnRing } from '../recording/turn-ring.js';
import { ShownContent } from '../view/shown-content.js';
import { EarlierTurns } from '../view/earlier-turns.js';
import { InspectedTurns } from '../view/inspected-turns.js';
import { STOPPED } from '../view/turn-view.js';
import type { ChatBody, DecisionsBody, RetryBody } from './chat-requests.js';
import {
  AnswerFirst,
  checkedSettings,
  confirmedFirst,
  keptSettings,
  withArguments,
  withHistory,
  withQuestion,
  withResults,
} from './retried-turn.js';
import { TurnFinder } from './turn-finder.js';

/**
 * What the page receives while a turn runs. `changed`: the turn has a new step; the page reads it
 * again.
 */
export type ChatRunEvent =
  | { readonly type: 'turn'; readonly id: string }
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly round: number }
  | { readonly type: 'tool-input'; readonly id: string; readonly name: string; readonly delta: string }
  | { readonly type: 'tool-progress'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'changed' | 'end' }
  | { readonly type: 'error'; readonly text: string };

/** Runs the turns of the chat on the page. */
@Injectable()
export class ChatRuns {
  constructor(
    private readonly application: HostApplication,
    private readonly ring: TurnRing,
    private readonly turns: InspectedTurns,
    private readonly earlier: EarlierTurns,
    private readonly shown: ShownContent,
  ) {}

  /** Asks a question. The turn before gives the conversation, unless the application remembers it. */
  async ask({ client, message, after, conversation }: ChatBody, caller: unknown) {
    const request = this.clientOf(client).prompt();
    const said = after === undefined ? undefined : () => this.#said(after, caller);
    const isRemembered = this.application.properties.chat.memory.enabled;
    if (isRemembered) request.conversation(await this.#remembered(conversation, caller, said));
    else if (said) request.messages(await said());
    return this.#run(request.user(message), caller);
  }

  /** Decides about the calls of a turn that wait, if any do, and continues it. */
  async decide(turnId: string, { decisions }: DecisionsBody, caller: unknown) {
    const held = await orGone(this.application.suspended.read(turnId, caller));
    // Undefined for a turn of another process.
    const turn = this.ring.get(turnId);
    const client = this.clientOf(held.client ?? DEFAULT_CHAT_CLIENT);
    const tokens = turn && this.turns.isOwn(turn, caller) ? turn.response?.metadata.approvalTokens : undefined;
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
    const tools = turn?.modelCalls.at(-1)?.options.toolCallbacks;
    await this.#checkArguments(decisions, held.pending, tools, caller);
    const request = client.prompt().toolApprovals(approvals, { turnId });
    if (tools) request.tools(...tools);
    const conversationId = held.context[ChatMemory.CONVERSATION_ID];
    if (typeof conversationId === 'string') request.conversation(conversationId);
    return this.#run(request, caller);
  }

  /**
   * Runs a turn again from one of its model calls, as a turn of its own that is not added to any
   * conversation. Calls of tools that may change something need approval.
   */
  async retry(turnId: string, body: RetryBody, caller: unknown) {
    const { modelCall, results, question, instructions, settings } = body;
    const turn = await this.#own(turnId, caller);
    const call = turn.modelCalls[modelCall];
    if (!call) throw new BadRequestException(`The turn has no model call ${modelCall}.`);
    const { toolCallbacks = [], toolContext } = call.options;
    const changed = withResults(call.history, results ?? {});
    const history = question ? withQuestion(changed, question) : changed;
    const request = withHistory(this.clientOf(turn.client).prompt(), history, instructions ?? undefined);
    request.options(settings ? checkedSettings(settings) : keptSettings(call.options));
    const tools = toolCallbacks.filter((tool) => !(LOOP_TOOL in tool)).map(confirmedFirst);
    request.tools(...tools);
    if (toolContext) request.toolContext(toolContext);
    const called = turn.toolCalls.filter((one) => one.modelCall === modelCall).map(({ asked }) => asked);
    const response = body.arguments && withArguments(call.response, called, body.arguments);
    if (response) request.advisors(new AnswerFirst(response));
    return this.#run(request, caller, (id) => {
      const made = this.ring.get(id);
      if (!made) return;
      made.retryOf = turnId;
      const options = { ...call.options, toolCallbacks: tools };
      if (response)
        made.modelCalls.push({ ...call, history, messages: history, options, begunAt: 0, duration: 0, response });
    });
  }

  /**
   * Stops a turn. One that waits is cancelled, in whatever process it waits.
   *
   * @throws NotFoundException if it runs in another process, or does not wait any more
   */
  async stop(turnId: string, caller: unknown): Promise<void> {
    const turn = this.turns.has(turnId) ? await this.turns.get(turnId, 'stop', caller) : undefined;
    if (turn?.running) turn.running.stop(new TurnStop('The turn was stopped in the inspector.', STOPPED));
    else if (!turn || turn.status === 'suspended') await orGone(this.application.suspended.stop(turnId, caller));
    this.ring.changed.next();
  }

  /** @throws NotFoundException if there is no such client */
  clientOf(name: string): ChatClient {
    const client = this.application.clients.get(name);
    if (client) return client;
    throw new NotFoundException(
      `There is no client '${name}' that the inspector can use. It has: ${this.application.clients.names.join(', ') || 'none'}.`,
    );
  }

  /**
   * @throws BadRequestException if a tool would refuse arguments that the page has changed: the call
   *   would fail, and its approval be used up
   */
  async #checkArguments(
    decisions: DecisionsBody['decisions'],
    pending: readonly ToolCall[],
    offered: readonly ToolCallback[] | undefined,
    caller: unknown,
  ): Promise<void> {
    for (const { toolCallId, approved, arguments: text } of decisions) {
      if (!approved || text === undefined) continue;
      const tools = offered ?? (await this.application.tools.allCallbacks(caller));
      const name = pending.find(({ id }) => id === toolCallId)?.name;
      const tool = tools.find(({ toolDefinition }) => toolDefinition.name === name);
      try {
        if (tool) await recordOf(tool).parse?.(JSON.parse(text), { text, definition: tool.toolDefinition });
      } catch (error) {
        throw new BadRequestException(`The call of '${name}' still waits. ${(error as Error).message}`);
      }
    }
  }

  /** What was said up to a turn. */
  async #said(turnId: string, caller: unknown): Promise<readonly Message[]> {
    const earlier = this.turns.has(turnId) ? undefined : await this.earlier.conversation(turnId, caller);
    if (earlier) return earlier;
    if (this.turns.has(turnId)) return (await this.#own(turnId, caller)).conversation;
    throw new NotFoundException('The turns before are gone, so the model cannot know them. Begin a new conversation.');
  }

  /** The content of a turn may only go into another turn of the same user. */
  async #own(turnId: string, caller: unknown): Promise<InspectedTurn> {
    const turn = await this.turns.get(turnId, 'read', caller);
    if (turn.status === 'running') throw new ConflictException('The turn still runs.');
    if (this.turns.isOwn(turn, caller)) return turn;
    throw new ConflictException(
      'This is the turn of another user. Use the option impersonate to continue it as that user.',
    );
  }

  /**
   * The id of a conversation in the memory. It contains the user, so that users only read their own.
   * What the memory does not have comes from the page: a retry that goes on, or a memory that a start
   * has emptied.
   */
  async #remembered(
    id: string,
    caller: unknown,
    said: (() => Promise<readonly Message[]>) | undefined,
  ): Promise<string> {
    const subject = this.application.principal.subjectOf(caller);
    const conversation = `inspector:${subject ?? ''}:${id}`;
    if (said && (await this.application.memory.get(conversation)).length === 0)
      await this.application.memory.add(conversation, await said(), undefined, { subject });
    return conversation;
  }

  #run(
    request: ChatClientRequestSpec,
    caller: unknown,
    onTurn: (id: string) => void = () => undefined,
  ): Observable<ChatRunEvent> {
    return new Observable((subscriber) => {
      let turnId: string | undefined;
      const finder = new TurnFinder((id) => {
        turnId = id;
        onTurn(id);
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
          subscriber.next({ type: 'error', text: isGone(error) ? GONE : this.#textOf(error) });
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

  /** The type is always shown. The text of a provider or a tool may contain anything. */
  #textOf(error: unknown): string {
    return `${errorTypeOf(error)}: ${this.shown.text(error instanceof Error ? error.message : '', 'error')}`;
  }

  #toEvent(event: ChatClientEvent): ChatRunEvent | undefined {
    const { shown } = this;
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return shown.isExact ? { type: event.type, text: event.text, round: event.round } : undefined;
      case 'tool-input-delta':
        return shown.isExact
          ? { type: 'tool-input', id: event.toolCall.id, name: event.toolCall.name, delta: event.delta }
          : undefined;
      case 'tool-progress': {
        const { id, name } = event.toolCall;
        return { type: event.type, id, name, text: shown.text(toText(event.value) ?? '', 'result', name) };
      }
      case 'finish':
      case 'usage':
        return undefined;
      default:
        return { type: 'changed' };
    }
  }
}

const GONE = 'There is no such turn that waits any more: somebody has decided about it, or has stopped it.';

/** @throws NotFoundException if the turn does not wait any more */
async function orGone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isGone(error) ? new NotFoundException(GONE) : error;
  }
}

/** Whether a decision came too late. */
function isGone(error: unknown): boolean {
  return error instanceof ToolApprovalException && (error.problem === 'not-found' || error.problem === 'conflict');
}
