import { Injectable } from '@nestjs/common';
import { InMemorySuspendedTurnRepository, type TurnChange, type TurnData } from '@nestor-ai/core';

/** Keeps the turns that wait for approval. Extend `SuspendedTurnRepository` instead to keep them in your database. */
@Injectable()
export class WaitingTurnsRepository extends InMemorySuspendedTurnRepository {
  private readonly ids = new Set<string>();

  override save(turn: TurnData, change: TurnChange) {
    const revision = super.save(turn, change);
    if (change.status === 'ended') this.ids.delete(turn.id);
    else this.ids.add(turn.id);
    return revision;
  }

  findIds() {
    return [...this.ids];
  }
}
