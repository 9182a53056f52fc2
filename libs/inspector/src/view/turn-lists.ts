import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { INSPECTOR_CALLER } from '../tools/tool-runs.js';
import type { InspectedTurn } from '../recording/inspected-turn.js';
import { TurnRing } from '../recording/turn-ring.js';
import { EarlierTurns } from './earlier-turns.js';
import { asAccessed, InspectedTurns } from './inspected-turns.js';
import { JournaledTurns } from './journaled-turns.js';
import { callViewOf } from './message-view.js';
import { ShownContent } from './shown-content.js';
import { limitOf, MOST_LISTED, passes, SORTED_BY, type TurnFilter } from './turn-filter.js';
import { TurnPolicy } from './turn-policy.js';
import { rowOf, type TurnAct, type TurnRow, type TurnView, TurnViews } from './turn-view.js';

/** How many turns are listed, unless the page asks for more. */
const MAX_TURNS = 200;
/** Turns of the journal are read one by one. */
const JOURNALED_SHARE = 4;

/** The list of turns on the page. */
export interface TurnListView {
  /** The newest first. */
  readonly turns: readonly TurnRow[];
  /** How many more there are, at least. */
  readonly more: number;
  /** How many turns were not kept, because there were too many in a second. */
  readonly omitted: number;
  /** How many turns of other users are hidden, whatever the filter. */
  readonly hidden: number;
  /** Why the turns of the `TurnJournal` are missing. */
  readonly failure?: string;
}

/** Finds the turns that a user of the page may see. */
@Injectable()
export class TurnLists {
  constructor(
    private readonly ring: TurnRing,
    private readonly inspected: InspectedTurns,
    private readonly journaled: JournaledTurns,
    private readonly earlier: EarlierTurns,
    private readonly views: TurnViews,
    private readonly shown: ShownContent,
    private readonly policy: TurnPolicy,
  ) {}

  async of({ as: _as, limit: wantedLimit, sort, ...filter }: TurnFilter, request: unknown): Promise<TurnListView> {
    const rank = SORTED_BY.get(sort);
    const limit = limitOf(wantedLimit, MAX_TURNS);
    const share = Math.ceil(limit / JOURNALED_SHARE);
    const wanted = (row: TurnRow): TurnRow | undefined => (passes(row, filter) ? row : undefined);
    const isKnown = (id: string): boolean => this.inspected.has(id) || this.ring.ignores(id);
    const stored = await this.journaled.list(request, share, isKnown);
    const { failure } = stored;
    const open = failure ? [] : this.ring.list().filter(({ status }) => status === 'suspended' || status === 'failed');
    const goneOn = await Promise.all(open.slice(0, share).map((turn) => this.#goneOn(turn, request)));
    const kept = await this.inspected.list(request, rank ? MOST_LISTED : limit, (turn) => {
      const elsewhere = goneOn.find((other) => other?.id === turn.id);
      return wanted(elsewhere ? rowOf(elsewhere) : this.views.row(turn));
    });
    const others = new Set(stored.found.map(({ id }) => id));
    const earlier = await this.earlier.list(request, ({ id }) => !others.has(id) && !isKnown(id));
    const before = failure
      ? earlier.found
      : await Promise.all(earlier.found.map((row) => this.#unlessLost(row, request)));
    const found = [...kept.found, ...[...stored.found, ...before].filter((row) => passes(row, filter))];
    const order = rank ?? (({ begunAt }: TurnRow) => begunAt);
    found.sort((a, b) => order(b) - order(a));
    return {
      turns: found.slice(0, limit),
      more: kept.more + stored.more + Math.max(0, found.length - limit),
      omitted: this.ring.omitted,
      ...(failure !== undefined && { failure }),
      hidden: kept.hidden + stored.hidden + earlier.hidden,
    };
  }

  /** @throws NotFoundException if there is no such turn, or the user may not see it */
  async one(id: string, request: unknown): Promise<TurnView> {
    const turn = await this.#one(id, request);
    const isNested = ({ within }: Pick<InspectedTurn, 'within'> | TurnView): boolean => within?.turnId === id;
    const turns = this.ring.list().filter(isNested);
    const kept = await this.inspected.list(request, MAX_TURNS, (other) => this.views.row(other), turns);
    const earlier = await this.earlier.list(request, (other) => isNested(other) && !this.inspected.has(other.id));
    const nested = [...kept.found, ...earlier.found];
    return nested.length > 0 ? { ...turn, nested } : turn;
  }

  async #one(id: string, request: unknown): Promise<TurnView> {
    if (!this.inspected.has(id)) {
      const found = (await this.journaled.find(id, request)) ?? (await this.earlier.find(id, request));
      if (found) return found;
    }
    const turn = await this.inspected.get(id, 'read', request);
    const stored = await this.#goneOn(turn, request);
    if (stored) return stored;
    const isStored = await this.journaled.has(id).catch(() => turn.status === 'suspended');
    if (turn.status === 'suspended') turn.isCancelled = !isStored;
    const acts = await this.policy.among(this.#actsOn(turn, isStored, request), asAccessed(turn), request);
    return this.views.turn(turn, acts);
  }

  /** A turn that another process has decided, or tried again, as it is there. Undefined if this process knows it best. */
  async #goneOn(turn: InspectedTurn, request: unknown): Promise<TurnView | undefined> {
    const hasFailed = turn.status === 'failed';
    if (!hasFailed && turn.status !== 'suspended') return undefined;
    // The journal may be why it has failed.
    const stored = await this.journaled.find(turn.id, request).catch(() => undefined);
    if (!stored) return undefined;
    const { status, answer } = stored;
    // Before the next try has ended, only this process knows why the last one has failed.
    if (hasFailed) return status === 'suspended' || answer !== '' ? stored : undefined;
    const known = turn.pending.map((call) => callViewOf(call, this.shown));
    const pending = stored.pending.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    return status === 'suspended' && isDeepStrictEqual(known, pending) ? undefined : stored;
  }

  /** A turn that waited may still do so in the journal, which lists only the newest ones. */
  async #unlessLost(row: TurnRow, request: unknown): Promise<TurnRow> {
    const stored = row.status === 'lost' ? await this.journaled.find(row.id, request) : undefined;
    return stored ? rowOf(stored) : row;
  }

  #actsOn(turn: InspectedTurn, isStored: boolean, request: unknown): TurnAct[] {
    const { client, status, modelCalls, response } = turn;
    if (status === 'running') return ['stop'];
    const isOwn = this.inspected.isOwn(turn, request);
    const waits = status === 'suspended' && isStored;
    // Signatures are for whom the turn has asked, and for the arguments of the model.
    const isSigned = response?.metadata.approvalTokens !== undefined;
    return [
      ...(status === 'failed' && isStored ? (['continue'] as const) : []),
      ...(waits && client !== INSPECTOR_CALLER && (isOwn || !isSigned) ? (['decide'] as const) : []),
      ...(this.shown.isExact && !isSigned ? (['edit'] as const) : []),
      ...(waits ? (['stop'] as const) : []),
      ...(modelCalls.length > 0 && isOwn ? (['retry'] as const) : []),
      ...(turn.isSavable && this.shown.isOn ? (['save'] as const) : []),
    ];
  }
}
