import type { ToolCall, TurnEntry } from '@nestor-ai/core';
import { HIDDEN, TOOL_FAILED } from '@nestor-ai/core/internal';
import type { NumberedRecordedEvent, RecordedEvent } from './recorded-event.js';

type Answered = Extract<TurnEntry, { kind: 'answered' }>;

/**
 * The events that the journal shows to have happened, but that are missing from the log: the process
 * died before it had written them. What a browser may see of a call is not known here, so its
 * contents are hidden.
 *
 * @param valid the events of the log that are not void
 */
export function lostEvents(
  entries: readonly TurnEntry[],
  valid: readonly NumberedRecordedEvent[],
): readonly RecordedEvent[] {
  const logged = valid.map(({ event }) => event);
  // The answer of the turn is emitted again.
  const answers = entries.filter((entry): entry is Answered => entry.kind === 'answered' && !entry.isFinal);
  return answers.flatMap((answer) => [...lostText(answer, logged), ...lostCalls(answer, entries, logged)]);
}

function lostText({ messages, round }: Answered, logged: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const said = String(messages.at(-1)?.['text'] ?? '');
  const known = logged.flatMap((event) => (event.type === 'text' && event.round === round ? event.text : [])).join('');
  return said.length > known.length && said.startsWith(known)
    ? [{ type: 'text', text: said.slice(known.length), round }]
    : [];
}

function lostCalls(
  { messages }: Answered,
  entries: readonly TurnEntry[],
  logged: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  const calls = (messages.at(-1)?.['toolCalls'] ?? []) as readonly ToolCall[];
  const has = (types: readonly RecordedEvent['type'][], id: string): boolean =>
    logged.some((event) => types.includes(event.type) && 'toolCall' in event && event.toolCall.id === id);
  return calls.flatMap(({ id, name }): readonly RecordedEvent[] => {
    const toolCall = { id, name, arguments: HIDDEN };
    const ended = entries.find((entry) => entry.kind === 'call-ended' && entry.response.id === id);
    const lost: RecordedEvent[] = has(['tool-call'], id) ? [] : [{ type: 'tool-call', toolCall }];
    if (ended?.kind !== 'call-ended' || has(['tool-result', 'tool-error'], id)) return lost;
    const { isError, isDenied } = ended.response;
    const denied = isDenied && { isDenied };
    const result = isError ? TOOL_FAILED : HIDDEN;
    const response = { id, name, responseData: result, ...(isError && { isError }), ...denied };
    return [...lost, { type: isError ? 'tool-error' : 'tool-result', toolCall, result, response, ...denied }];
  });
}
