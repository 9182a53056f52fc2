import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  ApprovalTokens,
  errorTypeOf,
  fromMessageJson,
  type Message,
  type MessageJson,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import { hasUntrusted } from '@nestor-ai/core/internal';
import { type JournaledTurn, toAccessedTurn, TurnJournal, type TurnSummary } from '@nestor-ai/turns';
import { HostApplication } from '../host-application.js';
import type { Seen } from './inspected-turns.js';
import { messageViewOf } from './message-view.js';
import { pendingCallViewOf } from './pending-call-view.js';
import { ShownContent } from './shown-content.js';
import { TurnPolicy } from './turn-policy.js';
import type { TurnAct, TurnRow, TurnView } from './turn-view.js';

/** The turns of other processes, and of those that have ended: from the `TurnJournal`, if there is one. */
@Injectable()
export class JournaledTurns {
  private readonly journal: TurnJournal | undefined;
  /**
   * A process that does not run a turn cannot stop it, or repeat what the journal does not have. The
   * answer that asked for approval has the signatures of the calls, and is not in the journal.
   */
  private readonly acts: readonly TurnAct[];

  constructor(
    @Optional() @Inject(SuspendedTurnRepository) private readonly repository: SuspendedTurnRepository | undefined,
    private readonly application: HostApplication,
    private readonly policy: TurnPolicy,
    private readonly shown: ShownContent,
    @Optional() @Inject(ApprovalTokens) tokens: ApprovalTokens | undefined,
  ) {
    this.acts = tokens ? ['stop'] : shown.isExact ? ['decide', 'edit', 'stop'] : ['decide', 'stop'];
    this.journal = TurnJournal.of(repository);
  }

  /** @param isKnown the turns to leave out */
  async list(request: unknown, limit: number, isKnown: (id: string) => boolean): Promise<Seen<TurnRow>> {
    let newest: readonly TurnSummary[];
    try {
      newest = (await this.journal?.find({ limit: limit + 1 })) ?? [];
    } catch (error) {
      return { found: [], hidden: 0, more: 0, failure: errorTypeOf(error) };
    }
    const stored = newest.slice(0, limit).filter(({ id }) => !isKnown(id));
    const allowed = await Promise.all(stored.map((turn) => this.#mayRead(turn, request)));
    const rows = await Promise.all(stored.filter((_turn, at) => allowed[at]).map(({ id }) => this.#read(id)));
    return {
      found: rows.filter((row) => row !== undefined),
      hidden: allowed.filter((isAllowed) => !isAllowed).length,
      more: Math.max(0, newest.length - limit),
    };
  }

  /** A turn with its messages. The journal has no times. Undefined if there is none, or the user may not see it. */
  async find(id: string, request: unknown): Promise<TurnView | undefined> {
    const [found] = (await this.journal?.find({ id, limit: 1 })) ?? [];
    if (found?.id !== id || !(await this.#mayRead(found, request))) return undefined;
    const view = await this.#read(id);
    return view && { ...view, can: await this.policy.among(view.can, toAccessedTurn(found), request) };
  }

  /** Whether the store of turns has a turn that waits, or has failed and can go on. */
  async has(id: string): Promise<boolean> {
    return (await this.repository?.findById(id)) !== undefined;
  }

  #mayRead(turn: TurnSummary, request: unknown): Promise<boolean> {
    return this.policy.allows('read', toAccessedTurn(turn), request);
  }

  /** Called only for a user who may see the turn. */
  async #read(id: string): Promise<TurnView | undefined> {
    const turn = await this.journal!.read(id);
    return turn && this.#view(turn);
  }

  #view(journaled: JournaledTurn): TurnView {
    const { status, updatedAt } = journaled;
    const [first] = journaled.entries;
    const turn = toAccessedTurn(journaled);
    const { id, client = 'default', requester, pending, begun = [], round, usageByRound } = turn;
    const queued = first?.kind === 'queued' ? (first.request['messages'] as readonly MessageJson[]) : [];
    const messages = (turn.messages.length > 0 ? turn.messages : queued).map(fromMessageJson);
    const views = messages.map((message) => messageViewOf(message, this.shown));
    const acts = status === 'suspended' ? this.acts : status === 'failed' ? (['continue'] as const) : [];
    const used = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    return {
      id,
      client,
      ...(requester !== undefined && { requester }),
      // The journal does not tell whether a turn has failed for good.
      status: status !== 'ended' ? status : pending.length > 0 ? 'stopped' : 'completed',
      begunAt: Date.parse(updatedAt),
      question: this.shown.text(lastText(messages, 'user'), 'prompt'),
      answer: status === 'ended' ? this.shown.text(lastText(messages, 'assistant'), 'completion') : '',
      modelCalls: round + 1,
      toolCalls: used.map(({ name }) => name),
      hasToolErrors: messages.some((said) => said.role === 'tool' && said.responses.some(({ isError }) => isError)),
      calls: [
        {
          isStreamed: false,
          begunAt: 0,
          repeated: 0,
          messages: views,
          options: {},
          tools: [],
          ...(usageByRound.length > 0 && { usage: usageByRound.at(-1)! }),
        },
      ],
      tools: [],
      pending: pending.map((call) => ({
        ...pendingCallViewOf(call, this.application.effectOf(call.name), this.shown),
        ...(begun.includes(call.id) && { mayHaveRun: true as const }),
      })),
      ...(pending.length > 0 && hasUntrusted(messages) && { hasReadUntrusted: true }),
      can: acts.filter((act) => act !== 'stop' || begun.length === 0),
    };
  }
}

function lastText(messages: readonly Message[], role: 'user' | 'assistant'): string {
  return messages.findLast((message) => message.role === role)?.text ?? '';
}
