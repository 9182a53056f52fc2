import { Injectable } from '@nestjs/common';
import { InMemorySuspendedTurnRepository, type SuspendedTurn } from '@nestor-ai/core';

/** Keeps the turns that wait for approval. Extend `SuspendedTurnRepository` instead to keep them in your database. */
@Injectable()
export class WaitingTurnsRepository extends InMemorySuspendedTurnRepository {
  private readonly ids = new Set<string>();

  override save(turn: SuspendedTurn) {
    this.ids.add(turn.id);
    super.save(turn);
  }

  override remove(turnId: string, revision: string) {
    const isRemoved = super.remove(turnId, revision);
    if (isRemoved) this.ids.delete(turnId);
    return isRemoved;
  }

  findIds() {
    return [...this.ids];
  }
}
