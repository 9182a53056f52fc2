import { Injectable, NotFoundException } from '@nestjs/common';
import { ChatMemory, type ConversationTurn, type Message, toMessageJson } from '@nestor-ai/core';
import { coveredBy, estimateTokensOf, sizeOf } from '@nestor-ai/core/internal';
import { HostApplication } from '../host-application.js';
import { asAccessed } from './inspected-turns.js';
import { type MessageView, messageViewOf } from './message-view.js';
import { ShownContent } from './shown-content.js';
import { TurnPolicy } from './turn-policy.js';
import { limitOf } from './turn-filter.js';
import { cut } from './turn-view.js';

/** A conversation in the list. */
export interface ConversationRow {
  readonly id: string;
  readonly owner?: string;
  /** The last one. */
  readonly question: string;
}

/** The list of conversations on the page. */
export interface ConversationListView {
  /** In the order of the log. */
  readonly conversations: readonly ConversationRow[];
  /** How many conversations of other users are hidden. */
  readonly hidden: number;
  /** Whether the log has more. */
  readonly hasMore: boolean;
}

/** A turn of a conversation. */
export interface ConversationTurnView {
  readonly id: string;
  /** Whether the model sees any of it. */
  readonly isInView: boolean;
  /** How many turns it summarizes. Undefined if it is no summary. */
  readonly summarizes?: number;
  /** As estimated by length. */
  readonly tokens: number;
  readonly messages: readonly MessageView[];
}

/** A conversation on the page. */
export interface ConversationView extends ConversationRow {
  /** The tokens that the model sees, as estimated by length. */
  readonly tokens: number;
  /** The newest turns, oldest first. A summary stands behind what it summarizes, as the model sees it. */
  readonly turns: readonly ConversationTurnView[];
  /** Whether there may be earlier ones. */
  readonly hasEarlier: boolean;
}

/** How many conversations are listed, and messages of one are shown, unless the page asks for more. */
const MOST = 100;
/** How many messages have the last question, also behind a summary. */
const NEWEST = 4;

/** Shows the conversations of the application, and what of each the model sees. */
@Injectable()
export class Conversations {
  constructor(
    private readonly application: HostApplication,
    private readonly policy: TurnPolicy,
    private readonly shown: ShownContent,
  ) {}

  async list(wanted: unknown, request: unknown): Promise<ConversationListView> {
    const limit = limitOf(wanted, MOST);
    const ids = await this.application.log.list({ limit: limit + 1 });
    const rows = await Promise.all(ids.slice(0, limit).map((id) => this.#row(id, request)));
    return {
      conversations: rows.filter((row) => row !== undefined),
      hidden: rows.filter((row) => row === undefined).length,
      hasMore: ids.length > limit,
    };
  }

  /** @throws NotFoundException if there is no such conversation, or the user may not see it */
  async one(id: string, wanted: unknown, request: unknown): Promise<ConversationView> {
    const limit = limitOf(wanted, MOST);
    const { turns, owner } = await this.application.log.read(id, { limit });
    const isThere = turns.length > 0 || owner !== undefined;
    if (!isThere || !(await this.#mayRead(id, owner, request)))
      throw new NotFoundException('There is no such conversation any more, or you may not access it.');
    const seen = await this.application.memory.get(id);
    return {
      ...this.#rowOf(id, owner, turns),
      tokens: estimateTokensOf(seen),
      turns: viewedOf(turns, seen).map(({ turn, isInView }) => ({
        id: turn.id,
        isInView,
        ...summarizedBy(turn),
        tokens: estimateTokensOf(turn.messages),
        messages: turn.messages.map((message) => messageViewOf(message, this.shown)),
      })),
      hasEarlier: sizeOf(turns) >= limit,
    };
  }

  /** Undefined if the user may not see it. */
  async #row(id: string, request: unknown): Promise<ConversationRow | undefined> {
    const { turns, owner } = await this.application.log.read(id, { limit: NEWEST });
    return (await this.#mayRead(id, owner, request)) ? this.#rowOf(id, owner, turns) : undefined;
  }

  #rowOf(id: string, owner: string | undefined, turns: readonly ConversationTurn[]): ConversationRow {
    const said = turns.filter((turn) => !coveredBy(turn)).flatMap(({ messages }) => messages);
    const last = said.findLast(({ role }) => role === 'user');
    const question = last?.role === 'user' ? cut(this.shown.text(last.text, 'prompt')) : '';
    return { id, ...(owner !== undefined && { owner }), question };
  }

  #mayRead(id: string, requester: string | undefined, request: unknown): Promise<boolean> {
    const turn = asAccessed({ id, requester, client: 'default', begunAt: 0, pending: [] });
    return this.policy.allows('read', { ...turn, context: { [ChatMemory.CONVERSATION_ID]: id } }, request);
  }
}

/** Which turns the model sees. Of equal messages, it sees the newest ones. */
function viewedOf(turns: readonly ConversationTurn[], seen: readonly Message[]) {
  const left = new Map<string, number>();
  for (const message of seen) left.set(keyOf(message), (left.get(keyOf(message)) ?? 0) + 1);
  const take = (message: Message): boolean => {
    const count = left.get(keyOf(message)) ?? 0;
    left.set(keyOf(message), count - 1);
    return count > 0;
  };
  return turns
    .toReversed()
    .map((turn) => ({ turn, isInView: turn.messages.filter(take).length > 0 }))
    .sort((a, b) => placeOf(a.turn) - placeOf(b.turn));
}

/** A summary stands behind the last turn that it covers. */
function placeOf(turn: ConversationTurn): number {
  const covered = coveredBy(turn);
  return covered ? covered.until + 0.5 : turn.position;
}

function keyOf(message: Message): string {
  return JSON.stringify(toMessageJson(message));
}

function summarizedBy(turn: ConversationTurn): { summarizes?: number } {
  const covered = coveredBy(turn);
  return covered ? { summarizes: covered.of?.length ?? 0 } : {};
}
