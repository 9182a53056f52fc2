import { describe, expect, it } from '@jest/globals';
import type { TurnEntry } from '@nestor-ai/core';
import type { RecordedEvent } from './recorded-event.js';
import { lastKeptRound, withoutRepeated } from './repeated-rounds.js';

const text = (round: number): RecordedEvent => ({ type: 'text', text: 'a', round });
const call = (id: string): RecordedEvent => ({ type: 'tool-call', toolCall: { id, name: 'pay', arguments: '{}' } });
const result = (id: string): RecordedEvent => ({
  type: 'tool-result',
  toolCall: { id, name: 'pay', arguments: '{}' },
  result: 'done',
  response: { id, name: 'pay', responseData: 'done' },
});

/** The number after which events are void, for each last round that is kept. */
function voidAfter(keptRounds: readonly number[], ...events: RecordedEvent[]): readonly (number | undefined)[] {
  const valid = events.map((event, index) => ({ number: index + 1, event }));
  return keptRounds.map((round) => withoutRepeated(valid, round).restart?.after);
}

describe('withoutRepeated', () => {
  it('makes the events of later rounds void', () => {
    expect(voidAfter([-1, 0, 1], text(0), call('a'), result('a'), text(1), text(1))).toEqual([0, 3, undefined]);
  });

  it('counts rounds in which the model only asks for calls', () => {
    const events = [call('a'), call('b'), result('a'), result('b'), call('c'), result('c'), text(2)];
    expect(voidAfter([-1, 0, 1, 2], ...events)).toEqual([0, 4, 6, undefined]);
  });

  it('returns the events that stay valid', () => {
    const valid = [text(0), call('a'), result('a'), text(1)].map((event, index) => ({ number: index + 5, event }));
    expect(withoutRepeated(valid, 0)).toEqual({ kept: valid.slice(0, 3), restart: { type: 'restart', after: 7 } });
  });
});

describe('lastKeptRound', () => {
  const answered = (round: number, isFinal?: true): TurnEntry => ({
    kind: 'answered',
    from: 0,
    messages: [],
    response: { metadata: {} },
    round,
    usageByRound: [],
    ...(isFinal && { isFinal }),
  });

  it.each<[string, readonly TurnEntry[], number]>([
    ['nothing of a turn whose model has not answered', [{ kind: 'queued', request: {} }], -1],
    ['the rounds that the journal has', [answered(0), answered(1)], 1],
    ['all but the answer of the turn, which is sent again', [answered(0), answered(1, true)], 0],
  ])('is %s', (_what, entries, round) => {
    expect(lastKeptRound(entries)).toBe(round);
  });
});
