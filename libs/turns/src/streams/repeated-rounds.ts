import type { TurnEntry } from '@nestor-ai/core';
import type { NumberedRecordedEvent, RestartEvent } from './recorded-event.js';

/**
 * Separates the events of a turn from those of rounds that a request emits again.
 *
 * @param valid the events of the log that are not void
 * @param keptRound the last round that the request does not emit again
 * @returns the events that stay valid, and the event that makes the others void
 */
export function withoutRepeated(
  valid: readonly NumberedRecordedEvent[],
  keptRound: number,
): { readonly kept: readonly NumberedRecordedEvent[]; readonly restart?: RestartEvent } {
  const rounds = new RoundsOfEvents();
  const first = valid.findIndex(({ event }) => rounds.roundOf(event) > keptRound);
  if (first === -1) return { kept: valid };
  return { kept: valid.slice(0, first), restart: { type: 'restart', after: valid[first]!.number - 1 } };
}

/** Finds the round that each event belongs to. Events of tools do not name it. */
class RoundsOfEvents {
  #round = 0;
  #hasCalls = false;
  readonly #open = new Set<string>();

  roundOf(event: NumberedRecordedEvent['event']): number {
    if ('round' in event) {
      if (event.round !== this.#round) this.#enter(event.round);
    } else if (event.type === 'tool-call') {
      // The model asks for calls without a text before them.
      if (this.#hasCalls && this.#open.size === 0) this.#enter(this.#round + 1);
      this.#hasCalls = true;
      this.#open.add(event.toolCall.id);
    } else if (event.type === 'tool-result' || event.type === 'tool-error') {
      this.#open.delete(event.toolCall.id);
    }
    return this.#round;
  }

  #enter(round: number): void {
    this.#round = round;
    this.#hasCalls = false;
    this.#open.clear();
  }
}

/**
 * The last round whose events a request that continues the turn does not emit again. -1: it emits
 * all rounds again.
 */
export function lastKeptRound(entries: readonly TurnEntry[]): number {
  const answer = entries.findLast((entry) => entry.kind === 'answered');
  if (!answer) return -1;
  // The answer of the turn is emitted again.
  return answer.isFinal ? answer.round - 1 : answer.round;
}
