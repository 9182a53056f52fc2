import { describe, expect, it } from '@jest/globals';
import type { TurnEntry } from '@nestor-ai/core';
import { lostEvents } from './lost-events.js';
import type { NumberedRecordedEvent, RecordedEvent } from './recorded-event.js';

const CALL = { id: 'c1', name: 'pay', arguments: '{"card":"4111"}' };

const answered = (round: number, text: string, isFinal?: true): TurnEntry => ({
  kind: 'answered',
  from: 0,
  messages: [{ role: 'assistant', text, toolCalls: isFinal ? [] : [CALL] }],
  response: { metadata: {} },
  round,
  usageByRound: [],
  ...(isFinal && { isFinal }),
});
const ended = (isError?: true): TurnEntry => ({
  kind: 'call-ended',
  response: { id: 'c1', name: 'pay', responseData: 'secret', ...(isError && { isError }) },
});
const logged = (...events: RecordedEvent[]): readonly NumberedRecordedEvent[] =>
  events.map((event, index) => ({ number: index + 1, event }));

const shown = { type: 'tool-call', toolCall: CALL } as const;
const hidden = { id: 'c1', name: 'pay', arguments: '{"hidden":true}' };

describe('lostEvents', () => {
  it('are none if the log has all', () => {
    const response = { id: 'c1', name: 'pay', responseData: 'secret' };
    const events = logged({ type: 'text', text: 'May I?', round: 0 }, shown, {
      type: 'tool-result',
      toolCall: CALL,
      result: 'secret',
      response,
    });
    expect(lostEvents([answered(0, 'May I?'), ended()], events)).toEqual([]);
  });

  it('are the rest of the text, the calls and their results, without contents', () => {
    const events = logged({ type: 'text', text: 'May', round: 0 });
    expect(lostEvents([answered(0, 'May I?'), ended()], events)).toEqual([
      { type: 'text', text: ' I?', round: 0 },
      { type: 'tool-call', toolCall: hidden },
      {
        type: 'tool-result',
        toolCall: hidden,
        result: '{"hidden":true}',
        response: { id: 'c1', name: 'pay', responseData: '{"hidden":true}' },
      },
    ]);
  });

  it('have no error text of a tool, and no result of a call that may still run', () => {
    const [error] = lostEvents([answered(0, ''), ended(true)], logged(shown));
    expect(error).toMatchObject({ type: 'tool-error', response: { responseData: 'The tool has failed.' } });
    expect(lostEvents([answered(0, '')], logged(shown))).toEqual([]);
  });

  it('do not have the answer of the turn, which follows again', () => {
    expect(lostEvents([answered(1, 'Paid.', true)], [])).toEqual([]);
  });
});
