import { Injectable } from '@nestjs/common';
import { TurnRing } from '../recording/turn-ring.js';
import { InspectedTurns } from './inspected-turns.js';
import { JournaledTurns } from './journaled-turns.js';
import { passes, type TurnFilter } from './turn-filter.js';
import { type TurnRow, type TurnView, TurnViews } from './turn-view.js';

const MAX_TURNS = 200;

/** The list of turns on the page. */
export interface TurnListView {
  /** Those in memory first, then those of the journal. */
  readonly turns: readonly TurnRow[];
  /** How many turns were not kept, because there were too many in a second. */
  readonly omitted: number;
  /**
   * How many turns of other users are hidden. 0 with a filter: the number would tell what is in
   * them.
   */
  readonly hidden: number;
}

/** Finds the turns that a user of the page may see. */
@Injectable()
export class TurnLists {
  constructor(
    private readonly ring: TurnRing,
    private readonly inspected: InspectedTurns,
    private readonly journaled: JournaledTurns,
    private readonly views: TurnViews,
  ) {}

  async of(filter: TurnFilter, request: unknown): Promise<TurnListView> {
    const wanted = (row: TurnRow): TurnRow | undefined => (passes(row, filter) ? row : undefined);
    const kept = await this.inspected.list(request, MAX_TURNS, (turn) => wanted(this.views.row(turn)));
    const stored = await this.journaled.list(request, (id) => this.inspected.has(id));
    return {
      turns: [...kept.found, ...stored.found.filter((row) => passes(row, filter))],
      omitted: this.ring.omitted,
      hidden: Object.values(filter).some(Boolean) ? 0 : kept.hidden + stored.hidden,
    };
  }

  /** @throws NotFoundException if there is no such turn, or the user may not see it */
  async one(id: string, request: unknown): Promise<TurnView> {
    const stored = this.inspected.has(id) ? undefined : await this.journaled.find(id, request);
    return stored ?? this.views.turn(await this.inspected.get(id, 'read', request));
  }
}
